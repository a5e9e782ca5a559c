"""A file per peer: how it is installed, brought up and asked. Their code is in `apps`."""

from contenders.fastapi import FastApi
from contenders.lyceum import Lyceum

OTHERS = (FastApi,)
