module adjudge.example/kit

go 1.23
