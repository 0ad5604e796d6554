"""bag.py [FOLDER]: validates a bag with bagit: each file with its digest, the sums, and what the tag files say.

Without a folder it says by its exit status whether bagit is installed. Prints the number of files.
"""

import logging
import sys

import bagit

if len(sys.argv) > 1:
    # Its warnings say which file is wrong, as its error does.
    logging.disable(logging.ERROR)
    bag = bagit.Bag(sys.argv[1])
    bag.validate()
    print(len(bag.payload_entries()))
