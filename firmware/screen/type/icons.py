"""Icons of the device's own screens, by the code points that the faces of icons have them at.

voxcard.cards.icons.table gives the code points.
"""

WARNING, CHECK, TIMER, BELL = "\ue013", "\ue015", "\ue019", "\ue01b"
QUESTION, DOCUMENT, VOLUME = "\ue029", "\ue02c", "\ue033"
WIFI, CAMERA, MICROPHONE, TOOL, GEAR = "\ue035", "\ue036", "\ue037", "\ue039", "\ue03a"
CLOSE, FORWARD = "\ue066", "\ue068"
