module probe

go 1.19

require survey.example/span v0.0.0

replace survey.example/span => ../work
