module example.com/adapter

go 1.23

require adjudge.example/kit v0.0.0

replace adjudge.example/kit => ./kit
