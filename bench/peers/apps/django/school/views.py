"""What may be done with courses."""

from rest_framework.pagination import CursorPagination
from rest_framework.serializers import ModelSerializer
from rest_framework.viewsets import ModelViewSet
from school.models import Course


class CourseSerializer(ModelSerializer):
    class Meta:
        model = Course
        exclude = ["owner"]


class Newest(CursorPagination):
    """Pages by cursor: those by number count all rows each time."""

    page_size = 20
    ordering = "-created_at"


class CourseViewSet(ModelViewSet):
    serializer_class = CourseSerializer
    pagination_class = Newest

    def get_queryset(self):
        return Course.objects.filter(owner=self.request.user)

    def perform_create(self, serializer):
        serializer.save(owner=self.request.user)
