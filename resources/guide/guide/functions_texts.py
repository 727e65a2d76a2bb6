# SPDX-License-Identifier: Apache-2.0
"""Functions about strings."""
from .function_parts import function

FUNCTIONS = (
    function("""
def reverse_string(text):
    return text[::-1]
""", ("reverses a string", "returns a string in reverse", "takes a string and reverses it", "reverses the characters of a string"),
        ((("abc",), "cba"), (("",), ""), (("level up",), "pu level"))),
    function("""
def is_palindrome(text):
    text = text.lower()
    return text == text[::-1]
""", ("checks if a string is a palindrome", "tells whether a word is a palindrome", "returns True for a palindrome",
      "tests if a string is a palindrome"),
        ((("Level",), True), (("house",), False), (("",), True))),
    function("""
def count_vowels(text):
    return sum(1 for letter in text.lower() if letter in "aeiou")
""", ("counts the vowels in a string", "returns the number of vowels in a text", "tells how many vowels a string has",
      "counts how many vowels are in a string"),
        ((("Apple pie",), 4), (("rhythm",), 0), (("",), 0))),
    function("""
def count_words(text):
    return len(text.split())
""", ("counts the words in a string", "returns the number of words in a text", "tells how many words a sentence has",
      "counts how many words are in a string"),
        ((("one two three",), 3), (("",), 0), (("  hello  ",), 1))),
    function("""
def count_letter(text, letter):
    return text.count(letter)
""", ("counts how often a letter occurs in a string", "returns how often a letter is in a text",
      "tells how often one letter occurs in a word", "counts how often a letter is in a string"),
        ((("banana", "a"), 3), (("banana", "x"), 0), (("", "a"), 0))),
    function("""
def char_counts(text):
    counts = {}
    for char in text:
        counts[char] = counts.get(char, 0) + 1
    return counts
""", ("counts each character of a string in a dictionary", "returns a dictionary with the count of each character",
      "makes a dictionary of character counts", "counts every character of a string in a dictionary"),
        ((("aab",), {"a": 2, "b": 1}), (("",), {}), (("xyz",), {"x": 1, "y": 1, "z": 1}))),
    function("""
def capitalize_words(text):
    return " ".join(word.capitalize() for word in text.split())
""", ("capitalizes each word of a string", "capitalizes every word in a text", "returns a string with each word capitalized",
      "capitalizes all words of a string"),
        ((("hello big world",), "Hello Big World"), (("",), ""), (("one",), "One"))),
    function("""
def to_uppercase(text):
    return text.upper()
""", ("converts a string to uppercase", "returns a text in uppercase", "turns a string into uppercase letters",
      "changes a string to uppercase"),
        ((("Hello",), "HELLO"), (("",), ""), (("a1b",), "A1B"))),
    function("""
def to_lowercase(text):
    return text.lower()
""", ("converts a string to lowercase", "returns a text in lowercase", "turns a string into lowercase letters",
      "changes a string to lowercase"),
        ((("Hello",), "hello"), (("",), ""), (("A1B",), "a1b"))),
    function("""
def remove_spaces(text):
    return text.replace(" ", "")
""", ("removes all spaces from a string", "deletes the spaces in a text", "returns a string without spaces",
      "removes the spaces of a string"),
        ((("a b c",), "abc"), (("  ",), ""), (("none",), "none"))),
    function("""
def remove_vowels(text):
    return "".join(letter for letter in text if letter.lower() not in "aeiou")
""", ("removes all vowels from a string", "deletes the vowels in a text", "returns a string without vowels",
      "removes the vowels of a string"),
        ((("Apple pie",), "ppl p"), (("sky",), "sky"), (("",), ""))),
    function("""
def acronym(text):
    return "".join(word[0].upper() for word in text.split())
""", ("makes an acronym from a phrase", "returns the acronym of some words", "builds an acronym from the first letters of words",
      "creates an acronym from a phrase"),
        ((("random access memory",), "RAM"), (("one",), "O"), (("",), ""))),
    function("""
def longest_word(text):
    return max(text.split(), key=len)
""", ("finds the longest word in a sentence", "returns the longest word of a text", "gives the longest word in a string",
      "returns the longest word in a sentence"),
        ((("a little elephant",), "elephant"), (("one",), "one"), (("big house or not",), "house"))),
    function("""
def join_words(words):
    return " ".join(words)
""", ("joins a list of words with spaces", "joins words into one string", "returns a list of words joined by spaces",
      "joins the words of a list into one string"),
        (((["a", "b"],), "a b"), (([],), ""), ((["hello", "big", "world"],), "hello big world"))),
    function("""
def split_commas(text):
    return [part.strip() for part in text.split(",")]
""", ("splits a string at commas", "returns the parts of a string between commas", "splits a text with commas into a list",
      "splits a string at every comma"),
        ((("a, b,c",), ["a", "b", "c"]), (("one",), ["one"]), (("1,2",), ["1", "2"]))),
    function("""
def repeat(text, times):
    return text * times
""", ("repeats a string n times", "returns a string repeated several times", "repeats a text a given number of times",
      "repeats a string several times"),
        ((("ab", 3), "ababab"), (("x", 0), ""), (("hi", 1), "hi"))),
    function("""
def starts_with(text, prefix):
    return text.startswith(prefix)
""", ("checks if a string starts with a prefix", "tells whether a text starts with a prefix", "returns True if a string has a prefix",
      "tests if a string starts with a prefix"),
        ((("hello", "he"), True), (("hello", "lo"), False), (("", "a"), False))),
    function("""
def is_anagram(a, b):
    return sorted(a.lower()) == sorted(b.lower())
""", ("checks if two words are anagrams", "tells whether two strings are anagrams", "returns True if two words are anagrams of each other",
      "tests if two words are anagrams"),
        ((("Listen", "silent"), True), (("cat", "dog"), False), (("aab", "abb"), False))),
    function("""
def greet(name):
    return f"Hello, {name}!"
""", ("greets a person by name", "returns a greeting for a name", "makes a greeting with a name", "says a greeting to a person by name"),
        ((("Mia",), "Hello, Mia!"), (("world",), "Hello, world!"), (("",), "Hello, !"))),
    function("""
def string_length(text):
    return len(text)
""", ("returns the length of a string", "tells how long a string is", "gives the length of a text", "finds the length of a string"),
        ((("hello",), 5), (("",), 0), (("a b",), 3))),
    function("""
def only_digits(text):
    return text.isdigit()
""", ("checks if a string has only digits", "tells whether a string contains only digits", "returns True if a text is only digits",
      "tests if a string has only digits"),
        ((("123",), True), (("12a",), False), (("",), False))),
    function("""
def truncate(text, length):
    if len(text) <= length:
        return text
    return text[:length] + "..."
""", ("truncates a long string", "truncates a text to a length and adds three dots", "shortens a string and adds three dots",
      "truncates a string to a given length"),
        ((("hello world", 5), "hello..."), (("hi", 5), "hi"), (("hello", 5), "hello"))),
    function("""
def caesar(text, shift):
    letters = "abcdefghijklmnopqrstuvwxyz"
    table = str.maketrans(letters, letters[shift:] + letters[:shift])
    return text.lower().translate(table)
""", ("encrypts a text with a Caesar cipher", "shifts each letter with a Caesar cipher", "applies a Caesar cipher to a string",
      "encrypts a string with a Caesar cipher"),
        ((("abc", 1), "bcd"), (("xyz", 3), "abc"), (("Hi!", 2), "jk!"))),
    function("""
def swap_case(text):
    return text.swapcase()
""", ("swaps the case of each letter", "swaps upper and lower case in a string", "returns a string with swapped case",
      "swaps the case of all letters in a string"),
        ((("Hello",), "hELLO"), (("",), ""), (("aBc",), "AbC"))),
)
