# SPDX-License-Identifier: Apache-2.0
"""Tests of the stories' grammar and of the grader that comes with it."""
import unittest
from collections import Counter
from random import Random

from guide.stories import MOST_SENTENCES, THEMES, VOCABULARY, Story, check, split_sentences, story, with_article
from guide.story_parts import NAMES

SEEDS = 5_000

GOOD = (
    "Once there was a little fox named Finn who lived in a quiet forest. "
    "He wanted to cross the wide river, but the water was deep and fast. "
    "\"Can you help me?\" he asked an old hedgehog. The hedgehog smiled and showed him a fallen tree that lay over the water. "
    "So Finn walked across and danced on the other side. \"Thank you!\" said Finn to the hedgehog."
)

# A text to spoil, the text that replaces it, and a part of the expected complaint.
SPOILED = (
    ("an old hedgehog.", "a old hedgehog.", "wrong article: a old"),
    ("a little fox", "an little fox", "wrong article: an little"),
    ("He wanted", "he wanted", "without a capital letter"),
    ("forest. He", "forest He", "capital letter within a sentence: He"),
    ("water. So Finn", "water Finn", "no full stop before Finn"),
    (" said Finn to the hedgehog.", " said Finn to the hedgehog", "ends without a full stop"),
    ("So Finn", "So Max", "2 names"),
    ("So Finn", "So Fred", "unknown word: Fred"),
    ("showed him", "showed her", "wrong pronoun for Finn: her"),
    ("a fallen tree", "a fallen pyramid", "unknown word: pyramid"),
    ("the other side. ", "the other side. So Finn walked across and danced on the other side. ", "repeated"),
    ("the wide river", "the the wide river", "written twice: the"),
    ("\"Can you help me?\"", "\"Can you help me?", "a quote that is not closed"),
    ("the wide river", "the wide river (1)", "unknown character: ("),
)


def stories() -> list[Story]:
    return [story(Random(seed)) for seed in range(SEEDS)]


class Stories(unittest.TestCase):
    """Tests the stories that the grammar makes."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.stories = stories()

    def test_every_story_passes_the_check(self) -> None:
        for made in self.stories:
            self.assertEqual(check(made.text), [], made.text)

    def test_stories_are_short(self) -> None:
        for made in self.stories:
            self.assertTrue(45 <= len(made.text.split()) <= 90, made.text)
            self.assertTrue(4 <= len(split_sentences(made.text)) <= MOST_SENTENCES, made.text)

    def test_no_slot_is_left(self) -> None:
        for made in self.stories:
            self.assertNotRegex(made.title + made.text, r"[{}]")

    def test_stories_differ(self) -> None:
        self.assertEqual(len({made.text for made in self.stories}), SEEDS)

    def test_all_themes_come_up(self) -> None:
        counts = Counter(made.theme for made in self.stories)
        self.assertEqual(set(counts), set(THEMES))

    def test_a_story_is_about_its_theme(self) -> None:
        for made in self.stories:
            noun = made.theme.split()[-1]
            self.assertIn(noun, made.text.lower(), f"{made.theme}: {made.text}")

    def test_the_same_seed_makes_the_same_story(self) -> None:
        self.assertEqual(story(Random(7)), story(Random(7)))


class Themes(unittest.TestCase):
    """Tests the themes that a user can ask for."""

    def test_there_are_many_and_no_two_alike(self) -> None:
        self.assertGreaterEqual(len(THEMES), 45)
        self.assertEqual(len(set(THEMES)), len(THEMES))

    def test_a_theme_that_is_asked_for_is_told(self) -> None:
        for theme in THEMES:
            self.assertEqual(story(Random(1), theme).theme, theme)

    def test_an_unknown_theme_is_an_error(self) -> None:
        with self.assertRaises(KeyError):
            story(Random(1), "a tax return")

    def test_themes_have_the_right_article(self) -> None:
        for theme in THEMES:
            article, noun = theme.split(" ", 1)
            self.assertIn(theme, (with_article(noun), f"the {noun}"))

    def test_no_name_is_a_word_of_the_stories(self) -> None:
        names = NAMES["he"] + NAMES["she"]
        self.assertEqual(len(set(names)), len(names))
        self.assertFalse({name.lower() for name in names} & VOCABULARY)


class Check(unittest.TestCase):
    """Tests the faults that the grader finds in a spoiled story."""

    def test_a_good_story_has_no_faults(self) -> None:
        self.assertEqual(check(GOOD), [])

    def test_each_spoiled_story_is_found_out(self) -> None:
        for whole, broken, complaint in SPOILED:
            with self.subTest(complaint):
                self.assertIn(whole, GOOD)
                faults = check(GOOD.replace(whole, broken, 1))
                self.assertTrue(any(complaint in fault for fault in faults), faults)

    def test_a_name_must_come_again(self) -> None:
        self.assertIn("a name that appears only once: Finn", check(GOOD.replace("So Finn", "So he").replace("said Finn", "he said")))

    def test_too_few_and_too_many_sentences(self) -> None:
        self.assertIn("2 sentence(s)", check(" ".join(split_sentences(GOOD)[:2])))
        self.assertIn("12 sentence(s)", check(f"{GOOD} {GOOD}"))

    def test_no_text_at_all_is_wrong(self) -> None:
        self.assertTrue(check(""))

    def test_articles_follow_the_sound(self) -> None:
        for phrase in ("an owl", "a unicorn", "an hour", "a fox", "a useful hat"):
            self.assertEqual(with_article(phrase.split(" ", 1)[1]), phrase)


if __name__ == "__main__":
    unittest.main()
