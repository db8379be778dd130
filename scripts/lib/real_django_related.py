"""Projects and tasks at the server of real_django.py, with foreign keys. Django itself cascades, protects or lets go.
real-servers runs it: `real_django_related.py PORT`."""

import os
import sys

import real_django
from django.apps import AppConfig, apps
from django.db import models
from django.db.models import ProtectedError
from django.urls import include, path
from rest_framework import routers, serializers, status, viewsets
from rest_framework.response import Response

RULE = {"restrict": models.PROTECT, "cascade": models.CASCADE, "set-null": models.SET_NULL}[os.environ["REAL_RULE"]]


class Project(models.Model):
    title = models.CharField(max_length=5000)

    class Meta:
        app_label = "notes"
        db_table = "project"


class Task(models.Model):
    title = models.CharField(max_length=5000)
    project = models.ForeignKey(Project, RULE, null=True, blank=True)
    parent = models.ForeignKey("self", RULE, null=True, blank=True)

    class Meta:
        app_label = "notes"
        db_table = "task"


# Only rows of an installed app are looked at when what they refer to is deleted. An app would be a folder.
config = AppConfig("notes", sys.modules[__name__])
config.apps, config.models = apps, apps.all_models["notes"]
apps.app_configs["notes"] = config
apps.clear_cache()


class ProjectSerializer(serializers.ModelSerializer):
    class Meta:
        model = Project
        fields = ["id", "title"]


class TaskSerializer(serializers.ModelSerializer):
    class Meta:
        model = Task
        fields = ["id", "title", "project", "parent"]


class ProtectedViewSet(viewsets.ModelViewSet):
    """Says what protects a row; without this, Django answers 500."""

    def destroy(self, request, *arguments, **named):
        try:
            return super().destroy(request, *arguments, **named)
        except ProtectedError as error:
            return Response({"detail": error.args[0]}, status.HTTP_409_CONFLICT)


class ProjectViewSet(ProtectedViewSet):
    queryset = Project.objects.order_by("id")
    serializer_class = ProjectSerializer


class TaskViewSet(ProtectedViewSet):
    queryset = Task.objects.order_by("id")
    serializer_class = TaskSerializer


router = routers.DefaultRouter()
router.register("projects", ProjectViewSet)
router.register("tasks", TaskViewSet)
real_django.urlpatterns.append(path("", include(router.urls)))

if __name__ == "__main__":
    real_django.prepare([Project, Task])
    real_django.serve(sys.argv[1])
