"""From a course to a graded answer and the event that tells of it, by the generated client alone.

    python story.py <address of the service> <API key> <platform code>
"""

import json
import sys
import time
from typing import TypeVar

from lyceum import AuthenticatedClient
from lyceum.api.assignments import create_assignment
from lyceum.api.cohorts import create_cohort, enroll_student, start_cohort
from lyceum.api.courses import create_course, publish_course
from lyceum.api.events import list_events
from lyceum.api.submissions import create_submission, grade_submission_with_ai, retrieve_submission
from lyceum.models.create_assignment_by_course_id import CreateAssignmentByCourseId
from lyceum.models.create_cohort import CreateCohort
from lyceum.models.create_course import CreateCourse
from lyceum.models.create_submission import CreateSubmission
from lyceum.models.enroll_student_by_email import EnrollStudentByEmail
from lyceum.models.enrollment_created_event import EnrollmentCreatedEvent
from lyceum.models.erased_object import ErasedObject
from lyceum.models.error_body import ErrorBody
from lyceum.models.human_review import HumanReview
from lyceum.models.request_options import RequestOptions
from lyceum.models.submission_graded_event import SubmissionGradedEvent
from lyceum.models.submission_view import SubmissionView
from lyceum.models.text_content_input import TextContentInput
from lyceum.models.text_content_input_type import TextContentInputType

WORK = "I divide the stew into shallow containers and cool it in an ice bath within 90 minutes."

T = TypeVar("T")


def must(answer: T | ErrorBody | None) -> T:
    """What was answered, or an exception that says what was wrong."""
    if answer is None or isinstance(answer, ErrorBody):
        raise RuntimeError(answer.to_dict() if answer else "no answer")
    return answer


def main(url: str, key: str, platform: str) -> None:
    client = AuthenticatedClient(
        base_url=url,
        token=key,
        prefix="",
        auth_header_name="x-api-key",
        headers={"X-Learning-Platform-Code": platform},
    )
    options = RequestOptions(idempotency_key="story-python")
    new_course = CreateCourse(name="Cooling", language="en", options=options)
    course = must(create_course.sync(client=client, body=new_course))
    new_assignment = CreateAssignmentByCourseId(course_id=course.id, name="Cool a stew", human_review=HumanReview.OFF)
    assignment = must(create_assignment.sync(client=client, body=new_assignment))
    must(publish_course.sync(course.id, client=client))
    cohort = must(create_cohort.sync(client=client, body=CreateCohort(course_id=course.id, name="Spring")))
    must(start_cohort.sync(cohort.id, client=client))
    ada = EnrollStudentByEmail(email="ada@python.example")
    enrolled = must(enroll_student.sync(cohort.id, client=client, body=ada))
    work = CreateSubmission(
        assignment_id=assignment.id,
        user_id=enrolled.user_id,
        content=TextContentInput(type_=TextContentInputType.TEXT, text=WORK),
        draft=False,
    )
    submission = must(create_submission.sync(client=client, body=work))
    must(grade_submission_with_ai.sync(submission.id, client=client))
    answer: SubmissionView = must(retrieve_submission.sync(submission.id, client=client))
    while answer.ai_status == "pending":
        time.sleep(0.2)
        answer = must(retrieve_submission.sync(submission.id, client=client))
    told: list[str] = []
    for event in must(list_events.sync(client=client, limit=100)).data:
        # Once the person it told of was erased, an event says no more than that.
        if isinstance(event, SubmissionGradedEvent) and not isinstance(event.data.object_, ErasedObject):
            told.append(event.data.object_.assignment_id)
        elif isinstance(event, EnrollmentCreatedEvent) and not isinstance(event.data.object_, ErasedObject):
            told.append(event.data.object_.user.email)
    print(json.dumps({"status": answer.ai_status, "told": told, "assignment": assignment.id}))


main(*sys.argv[1:4])
