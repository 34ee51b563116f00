module lighthouse.example/chores

go 1.19
