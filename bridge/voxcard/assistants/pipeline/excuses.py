"""What the pipeline says by itself, in the language of the turn."""

from collections.abc import Mapping
from typing import Literal

Excuse = Literal["not_understood", "nothing", "too_long", "done", "failed"]

# language -> what happened -> the sentence
EXCUSES: Mapping[str, Mapping[Excuse, str]] = {
    "en": {
        "not_understood": "Sorry, I did not understand.",
        "nothing": "I did not hear anything.",
        "too_long": "That was too long, or too loud around you.",
        "done": "Done.",
        "failed": "That did not work.",
    },
    "de": {
        "not_understood": "Das habe ich leider nicht verstanden.",
        "nothing": "Ich habe nichts gehört.",
        "too_long": "Das war zu lang, oder es ist zu laut um dich herum.",
        "done": "Erledigt.",
        "failed": "Das hat nicht geklappt.",
    },
    "fr": {
        "not_understood": "Désolé, je n'ai pas compris.",
        "nothing": "Je n'ai rien entendu.",
        "too_long": "C'était trop long, ou il y a trop de bruit autour de vous.",
        "done": "C'est fait.",
        "failed": "Cela n'a pas fonctionné.",
    },
    "es": {
        "not_understood": "Lo siento, no he entendido.",
        "nothing": "No he oído nada.",
        "too_long": "Ha sido demasiado largo, o hay demasiado ruido.",
        "done": "Hecho.",
        "failed": "No ha funcionado.",
    },
    "it": {
        "not_understood": "Scusa, non ho capito.",
        "nothing": "Non ho sentito niente.",
        "too_long": "Era troppo lungo, oppure c'è troppo rumore.",
        "done": "Fatto.",
        "failed": "Non ha funzionato.",
    },
    "nl": {
        "not_understood": "Sorry, dat heb ik niet begrepen.",
        "nothing": "Ik heb niets gehoord.",
        "too_long": "Dat was te lang, of er is te veel lawaai om je heen.",
        "done": "Klaar.",
        "failed": "Dat is niet gelukt.",
    },
    "ro": {
        "not_understood": "Îmi pare rău, nu am înțeles.",
        "nothing": "Nu am auzit nimic.",
        "too_long": "A fost prea lung sau este prea multă gălăgie.",
        "done": "Gata.",
        "failed": "Nu a funcționat.",
    },
    "ko": {
        "not_understood": "죄송해요, 이해하지 못했어요.",
        "nothing": "아무 말도 듣지 못했어요.",
        "too_long": "말씀이 너무 길거나 주변이 너무 시끄러워요.",
        "done": "완료했어요.",
        "failed": "잘되지 않았어요.",
    },
}


def excuse(what: Excuse, locale: str) -> str:
    """The sentence in the language of `locale`, such as "de" or "de-CH"; else in English."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return EXCUSES.get(language, EXCUSES["en"])[what]
