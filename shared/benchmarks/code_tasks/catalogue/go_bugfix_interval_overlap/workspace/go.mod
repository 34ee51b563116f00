module survey.example/span

go 1.19
