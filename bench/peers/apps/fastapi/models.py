"""The tables: owners, their API keys, their courses."""

import os
from datetime import datetime, timezone
from uuid import UUID, uuid4

from sqlalchemy import DateTime, ForeignKey, Index, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# A pool per worker; two of them leave connections of the hundred that PostgreSQL has by default.
engine = create_async_engine(os.environ["DATABASE_URL"], pool_size=20, max_overflow=10)
new_session = async_sessionmaker(engine, expire_on_commit=False)


def now() -> datetime:
    return datetime.now(timezone.utc)


class Base(DeclarativeBase):
    type_annotation_map = {str: Text, datetime: DateTime(timezone=True), dict: JSONB}


class Owner(Base):
    __tablename__ = "owners"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    name: Mapped[str]


class ApiKey(Base):
    __tablename__ = "api_keys"
    digest: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(ForeignKey("owners.id"))


class Course(Base):
    __tablename__ = "courses"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    owner_id: Mapped[UUID] = mapped_column(ForeignKey("owners.id"))
    name: Mapped[str]
    language: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    hours: Mapped[int] = mapped_column(default=0)
    status: Mapped[str] = mapped_column(default="draft")
    details: Mapped[dict] = mapped_column("metadata", default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


# What the newest of an owner's are found by.
Index("courses_newest", Course.owner_id, Course.created_at.desc(), Course.id.desc())
