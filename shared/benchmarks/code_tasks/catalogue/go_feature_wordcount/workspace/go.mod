module notes.example/wordcount

go 1.19
