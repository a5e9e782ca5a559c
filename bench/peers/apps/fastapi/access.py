"""Who asks: an API key is looked up with every request."""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Annotated
from uuid import UUID

from fastapi import Depends, HTTPException, Security
from fastapi.security import APIKeyHeader
from models import ApiKey, new_session
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

header = APIKeyHeader(name="x-api-key", auto_error=False)


def digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


async def session() -> AsyncIterator[AsyncSession]:
    async with new_session() as opened:
        yield opened


Session = Annotated[AsyncSession, Depends(session)]


async def owner(key: Annotated[str | None, Security(header)], opened: Session) -> UUID:
    """The owner of the key."""
    found = key and await opened.scalar(select(ApiKey.owner_id).where(ApiKey.digest == digest(key)))
    if not found:
        raise HTTPException(401, "Send your API key in the header x-api-key.")
    return found


Caller = Annotated[UUID, Depends(owner)]
