"""Courses of an owner, as the tutorials of FastAPI and SQLAlchemy would have them written."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from access import Caller, Session
from fastapi import FastAPI, HTTPException, Query
from models import Course
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select

app = FastAPI(title="Courses")


class NewCourse(BaseModel):
    name: str = Field(min_length=1, max_length=200)
    language: str = Field(max_length=35)
    description: str = Field(default="", max_length=20_000)
    hours: int = Field(default=0, ge=0)
    metadata: dict = Field(default_factory=dict)


class CourseView(NewCourse):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    status: str
    # SQLAlchemy keeps the name `metadata` for itself.
    metadata: dict = Field(validation_alias="details")
    created_at: datetime
    updated_at: datetime


@app.get("/courses/{course_id}")
async def retrieve(course_id: UUID, owner: Caller, session: Session) -> CourseView:
    found = await session.scalar(
        select(Course).where(Course.owner_id == owner, Course.id == course_id)
    )
    if found is None:
        raise HTTPException(404, "There is no such course.")
    return found


@app.get("/courses")
async def newest(
    owner: Caller, session: Session, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> list[CourseView]:
    order = Course.created_at.desc(), Course.id.desc()
    found = await session.scalars(
        select(Course).where(Course.owner_id == owner).order_by(*order).limit(limit)
    )
    return found.all()


@app.post("/courses", status_code=201)
async def create(new: NewCourse, owner: Caller, session: Session) -> CourseView:
    course = Course(owner_id=owner, details=new.metadata, **new.model_dump(exclude={"metadata"}))
    session.add(course)
    await session.commit()
    return course
