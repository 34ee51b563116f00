module bells.example/foundry

go 1.19
