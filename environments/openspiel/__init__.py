"""The games as OpenSpiel games. Importing ``environments.openspiel.games`` registers them."""
