# SPDX-License-Identifier: Apache-2.0
"""Functions about lists and dictionaries."""
from .function_parts import function

FUNCTIONS = (
    function("""
def sum_list(numbers):
    total = 0
    for number in numbers:
        total += number
    return total
""", ("sums a list of numbers", "returns the sum of a list", "adds up all numbers in a list",
      "calculates the sum of all numbers in a list"),
        ((([1, 2, 3],), 6), (([],), 0), (([-5, 5, 4],), 4))),
    function("""
def product_list(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result
""", ("multiplies all numbers in a list", "returns the product of a list", "calculates the product of all list elements",
      "computes the product of all numbers in a list"),
        ((([2, 3, 4],), 24), (([],), 1), (([5, 0],), 0))),
    function("""
def average(numbers):
    if not numbers:
        return 0
    return sum(numbers) / len(numbers)
""", ("calculates the average of a list", "returns the average of some numbers", "computes the mean of a list of numbers",
      "finds the average of a list of numbers"),
        ((([1, 2, 3],), 2.0), (([],), 0), (([5, 6],), 5.5))),
    function("""
def median(numbers):
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
""", ("calculates the median of a list", "returns the median of some numbers", "computes the median of a list of numbers",
      "finds the median of a list of numbers"),
        ((([9, 1, 2],), 2), (([4, 1, 2, 3],), 2.5), (([7],), 7))),
    function("""
def find_max(numbers):
    largest = numbers[0]
    for number in numbers:
        if number > largest:
            largest = number
    return largest
""", ("finds the maximum of a list", "returns the largest number in a list", "gives the maximum value in a list",
      "returns the maximum of a list of numbers"),
        ((([1, 9, 3],), 9), (([-5, -2],), -2), (([4],), 4))),
    function("""
def find_min(numbers):
    smallest = numbers[0]
    for number in numbers:
        if number < smallest:
            smallest = number
    return smallest
""", ("finds the minimum of a list", "returns the smallest number in a list", "gives the minimum value in a list",
      "returns the minimum of a list of numbers"),
        ((([4, 1, 3],), 1), (([-5, -2],), -5), (([4],), 4))),
    function("""
def second_largest(numbers):
    return sorted(set(numbers))[-2]
""", ("finds the second largest number in a list", "returns the second largest value of a list", "gives the second largest element",
      "returns the second largest number of a list"),
        ((([1, 9, 3],), 3), (([5, 5, 2],), 2), (([-1, -2, -3],), -2))),
    function("""
def filter_even(numbers):
    return [number for number in numbers if number % 2 == 0]
""", ("keeps only the even numbers of a list", "filters the even numbers from a list", "returns all even numbers in a list",
      "filters a list for even numbers"),
        ((([1, 2, 3, 4],), [2, 4]), (([1],), []), (([0, -2],), [0, -2]))),
    function("""
def filter_positive(numbers):
    return [number for number in numbers if number > 0]
""", ("keeps only the positive numbers of a list", "filters the positive numbers from a list", "returns all positive numbers in a list",
      "filters a list for positive numbers"),
        ((([1, -2, 3],), [1, 3]), (([-1, 0],), []), (([5],), [5]))),
    function("""
def filter_long_words(words, length):
    return [word for word in words if len(word) > length]
""", ("keeps only the long words of a list", "filters words that are longer than a length", "returns all words longer than n letters",
      "filters a list for long words"),
        (((["a", "house", "cat"], 3), ["house"]), (([], 2), []), ((["to", "the"], 1), ["to", "the"]))),
    function("""
def remove_duplicates(items):
    return list(dict.fromkeys(items))
""", ("removes duplicates from a list", "returns a list without duplicates", "deletes the duplicates in a list and keeps the order",
      "removes all duplicates of a list"),
        ((([1, 2, 1, 3, 2],), [1, 2, 3]), (([],), []), ((["b", "a", "b"],), ["b", "a"]))),
    function("""
def sort_ascending(items):
    return sorted(items)
""", ("sorts a list", "returns a sorted list", "sorts a list in ascending order", "returns a list sorted in ascending order"),
        ((([3, 1, 2],), [1, 2, 3]), (([],), []), ((["b", "a"],), ["a", "b"]))),
    function("""
def sort_descending(items):
    return sorted(items, reverse=True)
""", ("sorts a list in descending order", "returns a list in descending order", "sorts numbers from high to low in descending order",
      "returns a list sorted in descending order"),
        ((([3, 1, 2],), [3, 2, 1]), (([],), []), ((["a", "b"],), ["b", "a"]))),
    function("""
def sort_by_length(words):
    return sorted(words, key=len)
""", ("sorts words by length", "sorts a list of strings by their length", "returns words sorted by length",
      "sorts a list of words by length"),
        (((["house", "a", "cat"],), ["a", "cat", "house"]), (([],), []), ((["aa", "b"],), ["b", "aa"]))),
    function("""
def is_sorted(items):
    return items == sorted(items)
""", ("checks if a list is sorted", "tells whether a list is sorted", "returns True if a list is sorted", "tests if a list is sorted"),
        ((([1, 2, 2],), True), (([2, 1],), False), (([],), True))),
    function("""
def flatten(lists):
    return [item for inner in lists for item in inner]
""", ("flattens a list of lists", "flattens a nested list", "turns a list of lists into one flat list",
      "returns a flat list from a nested list"),
        ((([[1, 2], [3]],), [1, 2, 3]), (([],), []), (([[], [4]],), [4]))),
    function("""
def first_element(items):
    return items[0] if items else None
""", ("returns the first element of a list", "gets the first item of a list", "gives the first element of a list or None",
      "finds the first element of a list"),
        ((([1, 2, 3],), 1), (([],), None), ((["x"],), "x"))),
    function("""
def last_element(items):
    return items[-1] if items else None
""", ("returns the last element of a list", "gets the last item of a list", "gives the last element of a list or None",
      "finds the last element of a list"),
        ((([1, 2, 3],), 3), (([],), None), ((["x"],), "x"))),
    function("""
def reverse_list(items):
    return items[::-1]
""", ("reverses a list", "returns a list in reverse order", "takes a list and reverses it", "reverses the order of a list"),
        ((([1, 3, 2],), [2, 3, 1]), (([],), []), ((["a", "b"],), ["b", "a"]))),
    function("""
def count_item(items, item):
    return items.count(item)
""", ("counts an item in a list", "returns how many times an item is in a list", "tells how many times a list has an item",
      "counts how many times an item is in a list"),
        ((([1, 2, 1], 1), 2), (([], 1), 0), ((["a"], "b"), 0))),
    function("""
def contains(items, item):
    return item in items
""", ("checks if a list contains an item", "tells whether a list contains an item", "returns True if an item is contained in a list",
      "tests if a list contains an item"),
        ((([1, 2], 2), True), (([1, 2], 3), False), (([], 1), False))),
    function("""
def index_of(items, item):
    for index, value in enumerate(items):
        if value == item:
            return index
    return -1
""", ("finds the index of an item in a list", "returns the index of an item or -1", "gives the index of a value in a list",
      "returns the index of an item in a list"),
        (((["a", "b"], "b"), 1), ((["a"], "x"), -1), (([5, 5], 5), 0))),
    function("""
def double_all(numbers):
    return [number * 2 for number in numbers]
""", ("doubles every number in a list", "returns a list with all numbers doubled", "doubles each element of a list",
      "doubles all numbers in a list"),
        ((([1, 2],), [2, 4]), (([],), []), (([-3, 0],), [-6, 0]))),
    function("""
def squares(n):
    return [i * i for i in range(1, n + 1)]
""", ("lists the first n squares", "returns a list of the first n squares", "makes a list of squares from 1 to n",
      "creates a list of the first n squares"),
        (((3,), [1, 4, 9]), ((0,), []), ((1,), [1]))),
    function("""
def zip_to_dict(keys, values):
    return dict(zip(keys, values))
""", ("makes a dictionary from a list of keys and a list of values", "zips keys and values into a dictionary",
      "builds a dictionary from keys and values", "creates a dictionary from keys and values"),
        (((["a", "b"], [1, 2]), {"a": 1, "b": 2}), (([], []), {}), ((["x"], [9]), {"x": 9}))),
    function("""
def invert_dict(mapping):
    return {value: key for key, value in mapping.items()}
""", ("inverts a dictionary", "exchanges the keys and values of a dictionary", "returns an inverted dictionary",
      "inverts the keys and values of a dictionary"),
        ((({"a": 1, "b": 2},), {1: "a", 2: "b"}), (({},), {}), (({"x": "y"},), {"y": "x"}))),
    function("""
def merge_dicts(first, second):
    return {**first, **second}
""", ("merges two dictionaries", "returns two dictionaries merged into one", "combines two dictionaries",
      "merges two dictionaries into one"),
        ((({"a": 1}, {"b": 2}), {"a": 1, "b": 2}), (({"a": 1}, {"a": 3}), {"a": 3}), (({}, {}), {}))),
    function("""
def key_of_max(mapping):
    return max(mapping, key=mapping.get)
""", ("finds the key with the largest value in a dictionary", "returns the dictionary key with the largest value",
      "gives the key of the largest value of a dictionary", "returns the key with the largest value in a dictionary"),
        ((({"a": 1, "b": 5},), "b"), (({"x": 0},), "x"), (({"p": 9, "q": 2, "r": 3},), "p"))),
    function("""
def common_items(first, second):
    return [item for item in first if item in second]
""", ("finds the common items of two lists", "returns the items that two lists have in common", "lists the common elements of two lists",
      "returns the common items of two lists"),
        ((([1, 2, 3], [2, 3, 4]), [2, 3]), (([], [1]), []), ((["a"], ["b"]), []))),
    function("""
def chunk(items, size):
    return [items[i:i + size] for i in range(0, len(items), size)]
""", ("splits a list into chunks", "returns chunks of a given size from a list", "cuts a list into chunks of equal size",
      "splits a list into chunks of a given size"),
        ((([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]), (([], 3), []), (([1, 2], 2), [[1, 2]]))),
    function("""
def rotate(items, steps):
    steps %= len(items)
    return items[steps:] + items[:steps]
""", ("rotates a list to the left", "rotates a list by some steps", "returns a list rotated to the left by n steps",
      "rotates the elements of a list to the left"),
        ((([1, 2, 3, 4], 1), [2, 3, 4, 1]), (([1, 2, 3], 3), [1, 2, 3]), (([1, 2, 3], 2), [3, 1, 2]))),
    function("""
def remove_none(items):
    return [item for item in items if item is not None]
""", ("removes None from a list", "returns a list without None", "deletes all None values in a list",
      "removes every None value from a list"),
        ((([1, None, 0],), [1, 0]), (([None],), []), ((["a"],), ["a"]))),
    function("""
def running_total(numbers):
    totals, total = [], 0
    for number in numbers:
        total += number
        totals.append(total)
    return totals
""", ("returns the running total of a list", "calculates the running total of some numbers", "makes a list of running totals",
      "computes the running total of a list"),
        ((([1, 2, 3],), [1, 3, 6]), (([],), []), (([5, -5],), [5, 0]))),
    function("""
def all_equal(items):
    return len(set(items)) <= 1
""", ("checks if all items of a list are equal", "tells whether all list items are equal", "returns True if all items are equal",
      "tests if all items in a list are equal"),
        ((([2, 2, 2],), True), (([1, 2],), False), (([],), True))),
    function("""
def every_second(items):
    return items[::2]
""", ("returns every second item of a list", "keeps every second element of a list", "takes every second item from a list",
      "gives every second element of a list"),
        ((([1, 2, 3, 4, 5],), [1, 3, 5]), (([],), []), ((["a", "b"],), ["a"]))),
)
