"""Makes the tables, an owner and the API key that is given."""

import asyncio
import sys

from access import digest
from models import ApiKey, Base, Owner, engine, new_session


async def prepare(key: str) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with new_session() as session, session.begin():
        owner = Owner(name="Bench")
        session.add(owner)
        await session.flush()
        session.add(ApiKey(digest=digest(key), owner_id=owner.id))
    await engine.dispose()


asyncio.run(prepare(sys.argv[1]))
