"""Labels of a store room."""


def label(number):
    return "S-" + str(number).zfill(2)


def labels(numbers):
    return sorted(label(number) for number in numbers)
