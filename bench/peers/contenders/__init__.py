"""A file per peer: how it is installed, brought up and asked. Their code is in `apps`."""

from contenders.django import Django
from contenders.fastapi import FastApi
from contenders.lyceum import Lyceum

OTHERS = (Django, FastApi)
