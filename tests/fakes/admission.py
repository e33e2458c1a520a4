"""Who is let in, as a test says."""


class Known:
    """An Admission that knows some ids, and lets in whom `closed` does not hold back."""

    def __init__(self, known=()):
        self.known, self.closed, self.turned_away = set(known), False, []

    def is_known(self, device_id):
        return device_id in self.known

    def admits(self, device_id):
        return not self.closed or device_id in self.known

    def turn_away(self, device_id):
        self.turned_away.append(device_id)
