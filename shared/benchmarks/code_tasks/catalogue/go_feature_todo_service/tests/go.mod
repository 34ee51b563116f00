module probe

go 1.19

require lighthouse.example/chores v0.0.0

replace lighthouse.example/chores => ../work
