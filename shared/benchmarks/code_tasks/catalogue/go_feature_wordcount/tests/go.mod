module probe

go 1.19

require notes.example/wordcount v0.0.0

replace notes.example/wordcount => ../work
