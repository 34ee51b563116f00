module tiles.example/cache

go 1.19
