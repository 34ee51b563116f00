module probe

go 1.19

require ferry.example/bucket v0.0.0

replace ferry.example/bucket => ../work
