module ferry.example/bucket

go 1.19
