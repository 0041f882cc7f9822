"""The processes that search, apart from the one that answers calls.

``pool`` is the answering process's side: it has workers made by a fork server (``forkserver``,
started by ``launcher``), talks to each over one socket (``connection``) and replaces those that
die. ``process`` is what runs inside a worker, ``messages`` what travels between the two.
"""
