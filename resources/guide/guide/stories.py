# SPDX-License-Identifier: Apache-2.0
"""Short stories for children: story() makes one, check() says what is wrong with one that somebody else made."""
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from random import Random

from . import story_animals, story_folk, story_parts, story_things
from .story_parts import FIRST_PERSON, GENDERS, HELPERS, NAMES, PRONOUNS, SKELETONS, Plot, Theme

_THEMES: dict[str, Theme] = {theme.name: theme for theme in story_animals.THEMES + story_folk.THEMES + story_things.THEMES}
THEMES: tuple[str, ...] = tuple(_THEMES)

# Limits of the grammar's stories; check() allows somewhat more sentences.
FEWEST_WORDS, MOST_WORDS = 45, 90
FEWEST_SENTENCES, MOST_SENTENCES, MOST_ALLOWED_SENTENCES = 4, 7, 9


@dataclass
class Story:
    """A finished story; the theme is the noun that it was asked for with."""

    theme: str
    title: str
    text: str


# Making stories


def story(random: Random, theme: str | None = None) -> Story:
    """A story about the theme, one of THEMES, or about any of them."""
    chosen = _THEMES[theme or random.choice(THEMES)]
    while True:
        slots, groups = _cast(random, chosen)
        text = " ".join(random.choice(group) for group in groups).format_map(slots)
        if _fits(text):
            return Story(chosen.name, random.choice(story_parts.TITLES).format_map(slots), text)


def _cast(random: Random, theme: Theme) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """Who takes part and what happens, as the words for all slots; and the groups that the sentences come from, in order."""
    plot = random.choice(theme.plots)
    kind = random.choice(theme.heroes)
    gender = GENDERS.get(kind) or random.choice(tuple(PRONOUNS))
    helper = random.choice(_helpers(theme, plot, kind))
    slots = PRONOUNS[gender] | {
        "name": random.choice(NAMES[gender]), "kind": kind, "place": random.choice(theme.places),
        "helper": helper, "friend": helper.split()[-1], "a_hero": with_article(f"{random.choice(theme.adjectives)} {kind}"),
    }
    slots |= {"my_attempt": plot.attempt.format_map(FIRST_PERSON)}
    slots |= {field: clause.format_map(slots) for field, clause in asdict(plot).items()}
    slots |= {slot.capitalize(): words[:1].upper() + words[1:] for slot, words in slots.items()}
    event = [story_parts.EVENTS] if plot.event else []
    return slots, [story_parts.OPENINGS, *event, *random.choice(SKELETONS)]


def _helpers(theme: Theme, plot: Plot, kind: str) -> list[str]:
    """The helpers of the theme that are neither the hero's kind nor in the plot already."""
    taken = _words(" ".join((kind, *asdict(plot).values())))
    return [helper for helper in HELPERS[theme.helpers] if helper.split()[-1] not in taken]


def _fits(text: str) -> bool:
    return FEWEST_WORDS <= len(text.split()) <= MOST_WORDS and FEWEST_SENTENCES <= len(split_sentences(text)) <= MOST_SENTENCES


def with_article(noun: str) -> str:
    """The noun phrase after "a" or "an", whichever its sound needs."""
    return f"{_article(noun)} {noun}"


def _article(word: str) -> str:
    """"a" or "an", by the word's first sound."""
    if re.match(r"(?:uni|use|one\b)", word, re.IGNORECASE):
        return "a"
    return "an" if re.match(r"(?:[aeiou]|hour|honest)", word, re.IGNORECASE) else "a"


# Checking stories


def check(text: str) -> list[str]:
    """Returns the faults of a story, one on each line; nothing for a good story."""
    return [*_length_faults(text), *_sentence_faults(text), *_word_faults(text), *_hero_faults(text)]


def split_sentences(text: str) -> list[str]:
    """The text's sentences; a question in quotes that a lower-case word follows goes on."""
    return re.split(r"(?:(?<=[.!?])|(?<=[.!?]\"))\s+(?=[\"A-Z])", text.strip())


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]+(?:['-][A-Za-z]+)*", text)


def _length_faults(text: str) -> Iterator[str]:
    sentences = split_sentences(text)
    if not FEWEST_SENTENCES <= len(sentences) <= MOST_ALLOWED_SENTENCES:
        yield f"{len(sentences)} sentence(s)"
    seen: set[str] = set()
    for sentence in sentences:
        if sentence in seen:
            yield f"repeated: {sentence}"
        seen.add(sentence)


def _sentence_faults(text: str) -> Iterator[str]:
    """Capitals, full stops and quotes."""
    text = text.strip()
    if not re.match(r"\"?[A-Z]", text):
        yield "begins without a capital letter"
    if not re.search(r"[.!?]\"?$", text):
        yield "ends without a full stop"
    for match in re.finditer(r"(?:\.\"?|[!?])\s+\"?[a-z]\w*", text):
        yield f"sentence without a capital letter: {match[0]}"
    for sentence in split_sentences(text):
        for before, word in zip(_words(sentence), _words(sentence)[1:]):
            if word in _ALL_NAMES and before.lower() not in _BEFORE_NAME:
                yield f"no full stop before {word}"
            elif word[0].isupper() and word != "I" and word not in _ALL_NAMES:
                yield f"capital letter within a sentence: {word}"
    if text.count("\"") % 2:
        yield "a quote that is not closed"


def _word_faults(text: str) -> Iterator[str]:
    """Articles, unknown words, words written twice."""
    for article, word in re.findall(r"\b(a|an)\s+([a-z]\w*)", text, re.IGNORECASE):
        if article.lower() != _article(word):
            yield f"wrong article: {article} {word}"
    for match in re.finditer(r"\b(\w+)\s+\1\b", text, re.IGNORECASE):
        yield f"written twice: {match[1]}"
    unknown = {word for word in _words(text) if word not in _ALL_NAMES and word.lower() not in VOCABULARY}
    yield from (f"unknown word: {word}" for word in sorted(unknown))
    yield from (f"unknown character: {character}" for character in sorted(set(re.findall(r"[^A-Za-z\s.,!?\"'-]", text))))


def _hero_faults(text: str) -> Iterator[str]:
    """The hero has one name, more than once, and its pronouns."""
    words = _words(text)
    names = [word for word in words if word in _ALL_NAMES]
    if len(set(names)) != 1:
        yield f"{len(set(names))} names"
        return
    if len(names) == 1:
        yield f"a name that appears only once: {names[0]}"
    other = "she" if names[0] in NAMES["he"] else "he"
    strangers = set(PRONOUNS[other].values()) & {word.lower() for word in words}
    yield from (f"wrong pronoun for {names[0]}: {word}" for word in sorted(strangers))


# The words of the grammar


def _phrases() -> Iterator[str]:
    """Every text that may become a part of a story, with its slots."""
    yield from ("a an", *story_parts.OPENINGS, *story_parts.EVENTS)
    for groups in SKELETONS:
        yield from (template for group in groups for template in group)
    for helpers in HELPERS.values():
        yield from helpers
    for pronouns in (*PRONOUNS.values(), FIRST_PERSON):
        yield from pronouns.values()
    for theme in _THEMES.values():
        yield from (*theme.heroes, *theme.places, *theme.adjectives)
        yield from (clause for plot in theme.plots for field, clause in asdict(plot).items() if field != "title")


_ALL_NAMES = frozenset(name for names in NAMES.values() for name in names)
VOCABULARY = frozenset(word.lower() for phrase in _phrases() for word in _words(re.sub(r"\{\w+\}", " ", phrase)))
_BEFORE_NAME = frozenset(before.lower() for phrase in _phrases() for before in re.findall(r"(\w+),? \{name\}", phrase))
