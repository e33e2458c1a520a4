"""A view that keeps the card it was given."""


class FakeView:
    own_cards = None

    def __init__(self, screen=None):
        self.screen, self.card = screen, None
        self.states = []

    def show_card(self, card):
        self.card = card

    def clear_card(self, card_id=""):
        self.card = None

    def set_state(self, state, detail=""):
        self.states.append((state, detail))
