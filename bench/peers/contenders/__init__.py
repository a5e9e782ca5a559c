"""A file per peer: how it is installed, brought up and asked. Their code is in `apps`."""

from contenders.directus import Directus
from contenders.django import Django
from contenders.fastapi import FastApi
from contenders.lyceum import Lyceum
from contenders.pocketbase import PocketBase
from contenders.strapi import Strapi

OTHERS = (FastApi, Django, PocketBase, Directus, Strapi)

__all__ = ("OTHERS", "Lyceum")
