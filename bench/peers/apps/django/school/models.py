"""Courses of an owner."""

import uuid

from django.conf import settings
from django.db import models


class Course(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, db_index=False)
    name = models.CharField(max_length=200)
    language = models.CharField(max_length=35)
    description = models.TextField(blank=True, default="")
    hours = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=20, default="draft", editable=False)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "courses"
        # What the newest of an owner's are found by.
        indexes = [models.Index("owner", models.F("created_at").desc(), name="courses_newest")]
