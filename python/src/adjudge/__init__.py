"""adjudge: is the gradient of my function right?"""
