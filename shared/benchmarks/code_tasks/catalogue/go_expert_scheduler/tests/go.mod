module probe

go 1.19

require bells.example/foundry v0.0.0

replace bells.example/foundry => ../work
