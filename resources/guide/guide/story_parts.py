# SPDX-License-Identifier: Apache-2.0
"""Parts that every story may use: the shapes of themes and plots, names, helpers, and the sentences of each part.

Slots in braces: {name} the hero, {kind} what the hero is, {he} {him} {his} {himself} the hero's pronouns, {helper} the helper with an
article, {friend} the helper's noun alone, {a_hero} the hero with article and adjective, {place}, and the fields of a Plot by their names
({my_attempt}: the attempt in the hero's own words). A slot with a capital letter begins a sentence.
"""
from dataclasses import dataclass

ADJECTIVES = ("little", "young", "kind", "cheerful", "curious", "friendly")


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One chain of events. The result must follow from the help as well as from the idea."""

    title: str  # the words after "... and", capitalized
    wish: str  # "to ...", what the hero wanted
    trouble: str  # a clause: why the wish was hard
    attempt: str  # an infinitive without "to": what the hero tried first
    fail: str  # past tense, the hero's: how that went wrong
    help: str  # past tense, the helper's
    idea: str  # past tense, the hero's: what worked without a helper
    result: str  # past tense, the hero's
    after: str  # a clause: what was so from then on
    event: str = ""  # a clause: what happened before the wish arose


@dataclass(frozen=True, kw_only=True)
class Theme:
    """A theme that a user can ask for, with all its plots."""

    name: str  # with its article: "a fox"
    heroes: tuple[str, ...]  # possible heroes, without an article
    places: tuple[str, ...]  # "in a forest"
    helpers: str  # a key of HELPERS
    plots: tuple[Plot, ...]
    adjectives: tuple[str, ...] = ADJECTIVES


# A hero whose noun says the gender; any other may be either.
GENDERS = {"girl": "she", "princess": "she", "mermaid": "she", "boy": "he", "king": "he"}

PRONOUNS = {
    "he": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "she": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
}
FIRST_PERSON = {"he": "I", "him": "me", "his": "my", "himself": "myself"}

NAMES = {
    "he": ("Finn", "Max", "Tom", "Leo", "Ben", "Oscar", "Hugo", "Milo", "Theo", "Jack", "Noah", "Otto", "Bruno", "Felix", "Paul", "Toby",
           "Oliver", "Henry", "Simon", "Jonas"),
    "she": ("Mia", "Amy", "Ella", "Nora", "Lucy", "Anna", "Clara", "Ida", "Emma", "Zoe", "Molly", "Alma", "Greta", "Ava", "Sophie",
            "Tilda", "Mina", "Lena", "Julia", "Hanna"),
}

HELPERS = {
    "forest": ("a wise old owl", "a friendly deer", "a busy squirrel", "a kind badger", "a quick rabbit", "an old hedgehog",
               "a big brown bear", "a clever fox"),
    "farm": ("a gentle horse", "an old dog", "a kind cow", "a busy hen", "a white goose", "a friendly goat"),
    "pond": ("an old frog", "a friendly duck", "a wise turtle", "a silver fish", "a kind otter", "a white swan"),
    "sea": ("an old turtle", "a friendly dolphin", "a kind seal", "a busy crab", "a gentle whale", "a silver fish"),
    "plains": ("a tall giraffe", "an old elephant", "a friendly zebra", "a clever monkey", "a gray parrot"),
    "garden": ("a busy ant", "a kind bee", "an old toad", "a friendly snail", "a red ladybug", "a quick sparrow"),
    "winter": ("a red robin", "a quick hare", "an old crow", "a kind shepherd", "a friendly deer"),
    "ice": ("an old seal", "a friendly whale", "a kind seagull", "a young walrus"),
    "sky": ("a wild goose", "a friendly swallow", "a warm wind", "an old eagle", "a small white cloud"),
    "town": ("a kind neighbor", "an old baker", "a friendly gardener", "a wise teacher", "a cheerful postman", "an old sailor"),
    "castle": ("an old cook", "a wise gardener", "a young shepherd", "a friendly farmer", "a clever maid"),
}

# The parts of a story. An entry may hold two sentences.
OPENINGS = (
    "Once upon a time, there was {a_hero} named {name}. {He} lived {place}.",
    "Once there was {a_hero} named {name} who lived {place}.",
    "{name} was {a_hero} who lived {place}.",
    "{Place}, there lived {a_hero} named {name}.",
    "Long ago, {a_hero} named {name} lived {place}.",
)
EVENTS = ("One day, {event}.", "Then one day, {event}.", "One fine day, {event}.")
WISHES = (
    "{name} wanted {wish}, but {trouble}.",
    "{He} wanted {wish}. Sadly, {trouble}.",
    "More than anything, {he} wished {wish}, but {trouble}.",
    "{His} dearest wish was {wish}. But {trouble}.",
    "The {kind} wanted {wish}, but {trouble}.",
)
ATTEMPTS = (
    "{He} tried to {attempt}, but {he} {fail}.",
    "First, {name} tried to {attempt}, but {he} {fail}.",
    "\"I will {my_attempt},\" said {name}, but {he} {fail}.",
    "The {kind} tried to {attempt}, but {he} {fail}.",
)
HELP = (
    "Then {helper} came by and {help}.",
    "{Helper} saw this and {help}.",
    "Just then, {helper} came along. \"Let me help you,\" said the {friend} and {help}.",
    "\"Do not be sad,\" said {helper} and {help}.",
)
ASKING = (
    "\"Can you help me?\" {he} asked {helper}. The {friend} smiled and {help}.",
    "{name} asked {helper} for help. The {friend} {help}.",
    "\"Please help me,\" {he} said to {helper}. \"Gladly,\" said the {friend} and {help}.",
    "{He} called {helper} and asked for help. So the {friend} {help}.",
)
IDEAS = (
    "{He} did not give up. {He} thought for a while and {idea}.",
    "Then the {kind} had a better idea and {idea}.",
    "But {name} did not give up and {idea}.",
    "\"I will try again,\" {he} said. Then {he} {idea}.",
)
KINDNESS = (
    "{Helper} came by and looked sad, so {name} told the {friend} a funny story.",
    "Just then, {helper} came by and looked lonely, so {he} sang a song for the {friend}.",
    "{Helper} came by and asked for the way home, so {name} told the {friend} the right way.",
    "Then {helper} came by and looked tired, and {he} let the {friend} rest for a while.",
)
THANKS = (
    "To say thank you, the {friend} {help}.",
    "\"Now I will help you,\" said the {friend} and {help}.",
    "In return, the {friend} {help}.",
)
RESULTS = ("So {name} {result}.", "In the end, {name} {result}.", "Soon {name} {result}.", "At last, {name} {result}.")
AFTERWARDS = ("From that day on, {after}.", "After that, {after}.", "And ever since, {after}.")
FRIENDS = (
    "{name} and the {friend} became good friends.",
    "\"Thank you!\" said {name} to the {friend}.",
    "{name} thanked the {friend} with a big smile.",
    "A good friend makes hard things easy.",
)
TRYING = (
    "{name} was very proud.",
    "{name} was glad that {he} had tried again.",
    "It is good to try again.",
    "{name} could not stop smiling.",
)
BEING_KIND = (
    "{name} and the {friend} became good friends.",
    "It is good to be kind.",
    "{name} was glad that {he} had been kind.",
    "A kind heart always finds friends.",
)
TITLES = ("The {Kind} and {title}", "{name} and {title}")

# Sentences that follow the opening and, if the plot has one, the event.
SKELETONS = (
    (WISHES, HELP, RESULTS, AFTERWARDS, FRIENDS),
    (WISHES, ATTEMPTS, HELP, RESULTS, FRIENDS),
    (WISHES, ATTEMPTS, HELP, RESULTS, AFTERWARDS),
    (WISHES, ASKING, RESULTS, AFTERWARDS, FRIENDS),
    (WISHES, ATTEMPTS, ASKING, RESULTS, AFTERWARDS),
    (WISHES, ATTEMPTS, IDEAS, RESULTS, TRYING),
    (WISHES, ATTEMPTS, IDEAS, RESULTS, AFTERWARDS, TRYING),
    (WISHES, KINDNESS, THANKS, RESULTS, BEING_KIND),
    (WISHES, KINDNESS, THANKS, RESULTS, AFTERWARDS, BEING_KIND),
)
