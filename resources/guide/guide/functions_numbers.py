# SPDX-License-Identifier: Apache-2.0
"""Functions about numbers."""
from .function_parts import function

FUNCTIONS = (
    function("""
def add(a, b):
    return a + b
""", ("adds two numbers", "returns the sum of two numbers", "takes two numbers and adds them", "calculates the sum of two numbers"),
        (((2, 3), 5), ((0, 0), 0), ((-4, 1), -3))),
    function("""
def subtract(a, b):
    return a - b
""", ("subtracts two numbers", "returns the difference of two numbers", "subtracts the second number from the first",
      "calculates the difference of two numbers"),
        (((5, 3), 2), ((0, 4), -4), ((-1, -1), 0))),
    function("""
def multiply(a, b):
    return a * b
""", ("multiplies two numbers", "returns the product of two numbers", "takes two numbers and multiplies them",
      "calculates the product of two numbers"),
        (((2, 3), 6), ((7, 0), 0), ((-4, 2), -8))),
    function("""
def divide(a, b):
    if b == 0:
        return None
    return a / b
""", ("divides two numbers", "returns the quotient of two numbers", "divides one number by another and returns None for zero",
      "divides the first number by the second"),
        (((6, 3), 2.0), ((1, 4), 0.25), ((5, 0), None))),
    function("""
def remainder(a, b):
    return a % b
""", ("returns the remainder of a division", "calculates the remainder of two integers", "gives the remainder after division",
      "finds the remainder of a division"),
        (((7, 3), 1), ((8, 4), 0), ((9, 5), 4))),
    function("""
def square(number):
    return number * number
""", ("squares a number", "returns the square of a number", "calculates the square of a number", "computes the square of one number"),
        (((3,), 9), ((-4,), 16), ((0,), 0))),
    function("""
def cube(number):
    return number ** 3
""", ("cubes a number", "returns the cube of a number", "calculates the cube of a number", "computes the cube of one number"),
        (((2,), 8), ((-3,), -27), ((0,), 0))),
    function("""
def power(base, exponent):
    return base ** exponent
""", ("raises a base to a power", "returns the power of a base and an exponent", "raises a number to an exponent",
      "calculates the power of a base and an exponent"),
        (((2, 10), 1024), ((5, 0), 1), ((3, 3), 27))),
    function("""
def is_even(number):
    return number % 2 == 0
""", ("checks if a number is even", "tells whether a number is even", "returns True if a number is even", "tests if a number is even"),
        (((4,), True), ((7,), False), ((6,), True))),
    function("""
def is_odd(number):
    return number % 2 == 1
""", ("checks if a number is odd", "tells whether a number is odd", "returns True if a number is odd", "tests if a number is odd"),
        (((7,), True), ((4,), False), ((9,), True))),
    function("""
def is_negative(number):
    return number < 0
""", ("checks if a number is negative", "tells whether a number is negative", "returns True if a number is negative",
      "tests if a number is negative"),
        (((-3,), True), ((3,), False), ((0,), False))),
    function("""
def absolute(number):
    if number < 0:
        return -number
    return number
""", ("returns the absolute value of a number", "calculates the absolute value", "gives the absolute value of a number",
      "finds the absolute value of a number"),
        (((-5,), 5), ((5,), 5), ((0,), 0))),
    function("""
def sign(number):
    if number > 0:
        return 1
    if number < 0:
        return -1
    return 0
""", ("returns the sign of a number", "gives the sign of a number", "tells the sign of a number as 1, 0 or -1",
      "finds the sign of a number"),
        (((12,), 1), ((-12,), -1), ((0,), 0))),
    function("""
def larger(a, b):
    if a > b:
        return a
    return b
""", ("returns the larger of two numbers", "gives the larger of two numbers", "compares two numbers and returns the larger one",
      "finds the larger of two numbers"),
        (((2, 9), 9), ((9, 2), 9), ((-1, -5), -1))),
    function("""
def smaller(a, b):
    if a < b:
        return a
    return b
""", ("returns the smaller of two numbers", "gives the smaller of two numbers", "compares two numbers and returns the smaller one",
      "finds the smaller of two numbers"),
        (((2, 9), 2), ((9, 2), 2), ((-1, -5), -5))),
    function("""
def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result
""", ("calculates the factorial of a number", "returns the factorial of n", "computes a factorial", "finds the factorial of a number"),
        (((5,), 120), ((0,), 1), ((1,), 1), ((7,), 5040))),
    function("""
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
""", ("returns the nth Fibonacci number", "calculates a Fibonacci number", "computes the nth number of the Fibonacci sequence",
      "finds the nth Fibonacci number"),
        (((0,), 0), ((1,), 1), ((2,), 1), ((10,), 55))),
    function("""
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
""", ("finds the greatest common divisor of two numbers", "returns the gcd of two numbers", "calculates the greatest common divisor",
      "computes the greatest common divisor of two numbers"),
        (((12, 18), 6), ((7, 5), 1), ((0, 4), 4))),
    function("""
def lcm(a, b):
    result = max(a, b)
    while result % a or result % b:
        result += 1
    return result
""", ("finds the least common multiple of two numbers", "returns the lcm of two numbers", "calculates the least common multiple",
      "computes the least common multiple of two numbers"),
        (((4, 6), 12), ((3, 5), 15), ((7, 7), 7))),
    function("""
def is_prime(n):
    if n < 2:
        return False
    for i in range(2, int(n ** 0.5) + 1):
        if n % i == 0:
            return False
    return True
""", ("checks if a number is prime", "tells whether a number is a prime number", "returns True if a number is prime",
      "tests if a number is prime"),
        (((2,), True), ((9,), False), ((13,), True), ((1,), False), ((25,), False))),
    function("""
def divisors(n):
    return [i for i in range(1, n + 1) if n % i == 0]
""", ("lists all divisors of a number", "returns the divisors of a number", "collects every divisor of a number",
      "finds all divisors of a number"),
        (((6,), [1, 2, 3, 6]), ((7,), [1, 7]), ((1,), [1]))),
    function("""
def is_leap_year(year):
    if year % 100 == 0:
        return year % 400 == 0
    return year % 4 == 0
""", ("checks if a year is a leap year", "tells whether a year is a leap year", "returns True for a leap year",
      "tests if a year is a leap year"),
        (((2024,), True), ((2023,), False), ((1900,), False), ((2000,), True))),
    function("""
def celsius_to_fahrenheit(celsius):
    return celsius * 9 / 5 + 32
""", ("converts Celsius to Fahrenheit", "turns degrees Celsius into Fahrenheit", "converts a temperature from Celsius to Fahrenheit",
      "changes Celsius to Fahrenheit"),
        (((0,), 32.0), ((100,), 212.0), ((-40,), -40.0))),
    function("""
def kilometers_to_miles(kilometers):
    return kilometers / 1.609344
""", ("converts kilometers to miles", "turns kilometers into miles", "converts a distance from kilometers to miles",
      "changes kilometers to miles"),
        (((1.609344,), 1.0), ((0,), 0.0), ((16.09344,), 10.0))),
    function("""
def minutes_to_seconds(minutes):
    return minutes * 60
""", ("converts minutes to seconds", "turns minutes into seconds", "calculates the seconds in some minutes", "changes minutes to seconds"),
        (((1,), 60), ((0,), 0), ((15,), 900))),
    function("""
def clamp(value, low, high):
    return max(low, min(value, high))
""", ("clamps a value between two limits", "limits a value to a range", "clamps a value to a lower and an upper limit",
      "clamps a value to a range"),
        (((5, 0, 10), 5), ((-3, 0, 10), 0), ((99, 0, 10), 10))),
    function("""
def is_between(value, low, high):
    return low <= value <= high
""", ("checks if a value is between two others", "tells whether a value lies between two limits",
      "returns True if a value is between low and high", "tests if a value lies between two others"),
        (((5, 1, 10), True), ((0, 1, 10), False), ((10, 1, 10), True))),
    function("""
def digit_sum(number):
    return sum(int(digit) for digit in str(number))
""", ("returns the sum of the digits of a number", "adds up the digits of a number", "calculates the digit sum of a number",
      "computes the sum of the digits of a number"),
        (((123,), 6), ((0,), 0), ((909,), 18))),
    function("""
def count_digits(number):
    return len(str(abs(number)))
""", ("counts the digits of a number", "returns how many digits a number has", "tells how many digits are in a number",
      "counts how many digits a number has"),
        (((7,), 1), ((1234,), 4), ((-50,), 2))),
    function("""
def is_divisible(a, b):
    return a % b == 0
""", ("checks if one number is divisible by another", "tells whether a number is divisible by a second one",
      "returns True if a is divisible by b", "tests if one number is divisible by another"),
        (((9, 3), True), ((10, 3), False), ((0, 5), True))),
    function("""
def circle_area(radius):
    return 3.141592653589793 * radius ** 2
""", ("calculates the area of a circle", "returns the area of a circle from its radius", "computes the area of a circle with a radius",
      "finds the area of a circle"),
        (((1,), 3.141592653589793), ((0,), 0.0), ((2,), 12.566370614359172))),
    function("""
def rectangle_area(width, height):
    return width * height
""", ("calculates the area of a rectangle", "returns the area of a rectangle", "computes the area of a rectangle from width and height",
      "finds the area of a rectangle"),
        (((2, 3), 6), ((5, 5), 25), ((4, 0), 0))),
    function("""
def hypotenuse(a, b):
    return (a ** 2 + b ** 2) ** 0.5
""", ("calculates the hypotenuse of a right triangle", "returns the hypotenuse of a triangle", "computes the hypotenuse from two sides",
      "finds the hypotenuse of a right triangle"),
        (((3, 4), 5.0), ((5, 12), 13.0), ((0, 2), 2.0))),
    function("""
def sum_to(n):
    return n * (n + 1) // 2
""", ("adds all integers from 1 to n", "returns the sum of the integers from 1 to n", "sums up the integers from one to n",
      "calculates the sum of all integers from 1 to n"),
        (((3,), 6), ((100,), 5050), ((0,), 0))),
    function("""
def to_binary(number):
    return format(number, "b")
""", ("converts a number to binary", "returns the binary form of a number", "turns an integer into a binary string",
      "changes a number to binary"),
        (((5,), "101"), ((0,), "0"), ((8,), "1000"))),
    function("""
def percentage(part, whole):
    return part * 100 / whole
""", ("calculates a percentage", "returns the percentage of a part in a whole", "tells what percentage a part is of a whole",
      "computes the percentage of a part"),
        (((1, 4), 25.0), ((3, 3), 100.0), ((0, 8), 0.0))),
    function("""
def swap(a, b):
    return b, a
""", ("swaps two values", "returns two values in swapped order", "takes two values and swaps them", "swaps the two values a and b"),
        (((1, 2), (2, 1)), (("x", "y"), ("y", "x")), ((0, 0), (0, 0)))),
    function("""
def countdown(n):
    return list(range(n, 0, -1))
""", ("counts down from n to 1", "returns a countdown from n", "makes a list that counts down to 1", "makes a countdown from n to 1"),
        (((3,), [3, 2, 1]), ((1,), [1]), ((0,), []))),
    function("""
def fizzbuzz(n):
    if n % 15 == 0:
        return "FizzBuzz"
    if n % 3 == 0:
        return "Fizz"
    if n % 5 == 0:
        return "Buzz"
    return str(n)
""", ("plays FizzBuzz", "returns Fizz, Buzz or FizzBuzz for a number", "solves FizzBuzz for one number", "answers FizzBuzz for a number"),
        (((15,), "FizzBuzz"), ((9,), "Fizz"), ((10,), "Buzz"), ((7,), "7"))),
)
