"""Tournaments between players of games with hidden information: `adamas tournament`.

The parts, from the inside out:

    config, plan        what is to be played, and what the referee says to it
    schedule, seeds     which game follows which, and every random number
    referee, entrants,  one game: the rules, the players, their clocks, what counts in the end
    clock, match, scoring
    journal, records    what has been played
    worker, local,      where games are played: here, or on the nodes of a Ray cluster
    cluster, driver
    statistics          ratings, intervals, tables, and when enough is known
    live, report,       for people
    export, replay
"""
