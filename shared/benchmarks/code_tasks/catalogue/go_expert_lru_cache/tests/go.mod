module probe

go 1.19

require tiles.example/cache v0.0.0

replace tiles.example/cache => ../work
