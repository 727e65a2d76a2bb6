# SPDX-License-Identifier: Apache-2.0
"""How people ask: templates for each kind of question, some of them kept from training, and the ways of a careless hand."""

from dataclasses import dataclass
from random import Random

from .exchange import capitalised


@dataclass(frozen=True)
class Phrasing:
    """Templates with one place {x}."""

    train: tuple[str, ...]
    held_out: tuple[str, ...]


def lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


QUESTIONS = {
    "what": Phrasing(
        train=lines(
            """
            What is {x}?
            What is {x}?
            what's {x}
            Explain {x}.
            Please explain {x}.
            Can you explain {x}?
            Could you explain {x} to me?
            Explain {x} to me in simple words.
            Tell me about {x}.
            Can you tell me about {x}?
            Describe {x}.
            Describe {x} to me, please.
            What does one mean by {x}?
            What do you mean by {x}?
            What exactly is {x}?
            Tell me what {x} is.
            Can you tell me what {x} is?
            I want to know what {x} is.
            I'd like to know more about {x}.
            Do you know what {x} is?
            I don't know what {x} is.
            So, what is {x}?
            What can you say about {x}?
            Give me a short explanation of {x}.
            What should I know about {x}?
            Say something about {x}.
            {x}?
            {x}, what is that?
            Somebody spoke of {x}. What is it?
            I read about {x}. Explain it, please.
            Define {x}.
            What is {x} all about?
            What does {x} mean?
            What is the meaning of {x}?
            What is meant when people speak of {x}?
            What do people mean by {x}?
            I have heard of {x}. What is it?
            I never heard of {x}. Explain it.
            People speak of {x}. What is that?
            I have never used {x}. What is it?
            I know nothing of {x}. What is it?
            Teach me what {x} is.
            Please teach me something about {x}.
            Could you tell me about {x}?
            Please tell me about {x}.
            Would you describe {x} to me?
            Could you say what {x} is?
            Please describe what {x} is.
            What kind of thing is {x}?
            Give me an idea of {x}.
            How would you explain {x}?
            What is this thing: {x}?
            """
        ),
        held_out=lines(
            """
            What is meant by {x}?
            Could you describe {x} for me?
            Please tell me what {x} is.
            Teach me about {x}.
            I have never heard of {x}. What is it?
            Would you explain what {x} is?
            """
        ),
    ),
    "how": Phrasing(
        train=lines(
            """
            How do I {x}?
            How do I {x}?
            How can I {x}?
            How does one {x}?
            how to {x}
            How to {x}?
            I want to {x}. How?
            I want to {x}.
            I'd like to {x}.
            Tell me how to {x}.
            Can you tell me how to {x}?
            Show me how to {x}.
            Explain how to {x}.
            What is the way to {x}?
            What do I do to {x}?
            What must I do to {x}?
            Please help me to {x}.
            Help me {x}.
            Where do I {x}?
            Is there a way to {x}?
            What is the easiest way to {x}?
            I need to {x}. What do I do?
            How would I {x}?
            Do you know how to {x}?
            I don't know how to {x}.
            How could I {x} here?
            In which way do I {x}?
            I am trying to {x}. How does that work?
            What is a good way to {x}?
            Which way is best to {x}?
            What should I do if I want to {x}?
            How should I {x}?
            I would like to {x}. What should I do?
            Could you tell me how to {x}?
            Please show me how to {x}.
            I want to know how to {x}.
            How am I to {x}?
            What are the steps to {x}?
            """
        ),
        held_out=lines(
            """
            What should I do to {x}?
            Could you show me how to {x}?
            I would like to know how to {x}.
            What is the best way to {x}?
            How am I supposed to {x}?
            """
        ),
    ),
    "can": Phrasing(
        train=lines(
            """
            Can I {x}?
            Can I {x}?
            Is it possible to {x}?
            is it possible to {x}
            Could I {x}?
            May I {x}?
            Am I able to {x}?
            Can one {x}?
            Would it be possible to {x}?
            Is there a way to {x}?
            Tell me whether I can {x}.
            I wonder if I can {x}.
            Can anybody {x}?
            Do you know if I can {x}?
            Is it allowed to {x}?
            Will I be able to {x}?
            So I can {x}?
            Can somebody {x} with it?
            Can I really {x}?
            I want to {x}. Is that possible?
            Do you think that one can {x}?
            Could somebody {x}?
            Tell me if I can {x}.
            Is there some way to {x}?
            Do you know whether it is possible to {x}?
            Would I be able to {x}?
            Please tell me if I could {x}.
            """
        ),
        held_out=lines(
            """
            Could one {x}?
            Tell me if it is possible to {x}.
            Do you think I can {x}?
            Is there any way to {x}?
            """
        ),
    ),
    "does": Phrasing(
        train=lines(
            """
            Does Coterie {x}?
            Does Coterie {x}?
            does it {x}
            Will Coterie {x}?
            Does this program {x}?
            Will this program {x}?
            Does the program {x}?
            Can Coterie {x}?
            Can this program {x}?
            Does the app {x}?
            Would Coterie {x}?
            Tell me, does Coterie {x}?
            I wonder: does Coterie {x}?
            Do you know whether Coterie can {x}?
            Did you make Coterie {x}?
            So does Coterie {x}?
            Does Coterie really {x}?
            Is Coterie able to {x}?
            Is this program made to {x}?
            Does your program {x}?
            Please tell me: does Coterie {x}?
            Could the program {x}?
            Could this program {x}?
            Would the program {x}?
            Is the program made to {x}?
            Is your program able to {x}?
            Tell me if the program can {x}.
            """
        ),
        held_out=lines(
            """
            Could Coterie {x}?
            Please tell me: does the program {x}?
            Would this program {x}?
            Is the program able to {x}?
            """
        ),
    ),
    "why": Phrasing(
        train=lines(
            """
            Why is it that {x}?
            Why is it so that {x}?
            How come {x}?
            How come that {x}?
            Explain why {x}.
            Please explain why {x}.
            Can you explain why {x}?
            Tell me why {x}.
            What is the reason that {x}?
            What is the reason why {x}?
            I don't understand why {x}.
            I want to know why {x}.
            Do you know why {x}?
            Why do people say that {x}?
            I read that {x}. Why?
            Is there a reason why {x}?
            For what reason is it that {x}?
            Why, do you think, is it that {x}?
            {x}. Why?
            {x} - why is that?
            Why {x}?
            What makes it so that {x}?
            What causes it that {x}?
            What is the cause of this: {x}?
            For what cause is it that {x}?
            What might be the cause why {x}?
            What is behind it that {x}?
            People say that {x}. Why is that so?
            They told me that {x}. Why?
            I heard that {x}. Why is that?
            I would like to know why {x}.
            Could you explain to me why {x}?
            I have often asked myself why {x}.
            """
        ),
        held_out=lines(
            """
            Could you tell me why {x}?
            I wonder why {x}.
            What is the cause that {x}?
            They say that {x}. Why is that?
            """
        ),
    ),
    "where": Phrasing(
        train=lines(
            """
            Where is {x}?
            Where is {x}?
            Where do I find {x}?
            Where can I find {x}?
            where's {x}
            Tell me where {x} is.
            Show me where to find {x}.
            I am looking for {x}.
            I can't find {x}.
            Do you know where {x} is?
            In which place is {x}?
            Where do I see {x}?
            Where should I look for {x}?
            Can you tell me where {x} is?
            Where exactly is {x}?
            Where can one see {x}?
            Where did you put {x}?
            I want to see {x}. Where is it?
            Where can I see {x}?
            Please tell me where {x} is.
            Could you show me where {x} is?
            Please show me where I find {x}.
            I want to know where {x} is.
            Where could I look for {x}?
            Could you tell me where to look for {x}?
            """
        ),
        held_out=lines(
            """
            Where can I look for {x}?
            Could you tell me where I find {x}?
            I wonder where {x} is.
            Please show me where {x} is.
            """
        ),
    ),
}

OPENINGS = ("Please, ", "Hi! ", "Hello. ", "Hey, ", "Okay. ", "Quick question: ", "One more question: ", "Thanks. ", "Now: ", "And ")
CLOSINGS = (" Thanks!", " please", " Please.", " Thank you.", " I am curious.")


def fill(template: str, phrase: str) -> str:
    """The template's place filled; a phrase that opens the question gets a large letter."""
    text = template.replace("{x}", phrase)
    return capitalised(text) if template.startswith("{x}") else text


def ask(random: Random, kind: str, phrase: str, held_out: bool = False) -> str:
    """A question of a kind about a phrase."""
    phrasing = QUESTIONS[kind]
    return fill(random.choice(phrasing.held_out if held_out else phrasing.train), phrase)


def careless(random: Random, question: str) -> str:
    """The question as a hurried hand writes it, most of the time as it stands."""
    if random.random() < 0.12:
        opening = random.choice(OPENINGS)
        keep = question[:2] in ("I ", "I'") or opening[-2] in "!."
        question = opening + (question if keep else question[:1].lower() + question[1:])
    if random.random() < 0.05:
        question += random.choice(CLOSINGS)
    if random.random() < 0.12:
        question = question.rstrip("?.")
    if random.random() < 0.12:
        question = question[:1].lower() + question[1:]
    if random.random() < 0.04:
        question = question.lower()
    return question
