"""The paths of the API."""

from rest_framework.routers import DefaultRouter
from school.views import CourseViewSet

router = DefaultRouter()
router.register("courses", CourseViewSet, basename="course")
urlpatterns = router.urls
