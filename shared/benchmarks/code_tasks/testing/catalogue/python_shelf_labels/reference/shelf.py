"""Labels of a store room."""


def label(number):
    if number < 0:
        raise ValueError("a shelf has no number below zero")
    return "S-" + str(number).zfill(3)


def labels(numbers):
    return [label(number) for number in numbers if number >= 0]
