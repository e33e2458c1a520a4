"""The view of a board without a screen: takes what a view takes and shows nothing."""


class NoScreen:
    """Has the methods of screen.view.View that parts call without asking whether there is one."""

    screen = life = None
    asks = can_turn = False

    def _nothing(self, *_):
        pass

    set_state = set_transcript = set_sentence = set_level = progress = alert = _nothing
    set_locale = set_timers = set_ring = _nothing
    show_card = update_card = clear_card = add_resource = take_photo_sign = _nothing
    next_page = previous_page = activate = capability = _nothing
