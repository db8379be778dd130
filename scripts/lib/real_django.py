"""A server as Django REST framework's default router has it: `ModelViewSet`, pages by `next`, `Token` from
api-token-auth, a slash at the end of each path. With REAL_OAUTH it stands behind Django OAuth Toolkit instead: tokens are
good for two seconds, and each renewal replaces the refresh token. real-servers runs it: `real_django.py PORT`."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command

OAUTH = "REAL_OAUTH" in os.environ
settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY=os.environ["REAL_PASSWORD"], ROOT_URLCONF=__name__,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True, MIGRATION_MODULES={"notes": None},
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["REAL_DATABASE"]}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework",
                    "rest_framework.authtoken"] + ["oauth2_provider"] * OAUTH,
    OAUTH2_PROVIDER={"ACCESS_TOKEN_EXPIRE_SECONDS": 2, "ROTATE_REFRESH_TOKEN": True,
                     # It is good once more if the new one has not come.
                     "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 600},
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    REST_FRAMEWORK={
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination", "PAGE_SIZE": 20,
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "oauth2_provider.contrib.rest_framework.OAuth2Authentication" if OAUTH
            else "rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"]})
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import routers, serializers, viewsets  # noqa: E402
from rest_framework.authtoken.views import obtain_auth_token  # noqa: E402


class Note(models.Model):
    title = models.CharField(max_length=5000)
    done = models.BooleanField(null=True)
    size = models.BigIntegerField(null=True)
    labels = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "notes"
        db_table = "item"


class NoteSerializer(serializers.ModelSerializer):
    class Meta:
        model = Note
        fields = ["id", "title", "done", "size", "labels", "created_at"]


class NoteViewSet(viewsets.ModelViewSet):
    queryset = Note.objects.order_by("id")
    serializer_class = NoteSerializer


router = routers.DefaultRouter()
router.register("notes", NoteViewSet)
urlpatterns = [path("", include(router.urls)), path("api-token-auth/", obtain_auth_token)]
if OAUTH:
    urlpatterns += [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]


def prepare(kept):
    """Makes the tables of these models, where there are none yet."""
    call_command("migrate", verbosity=0)
    for model in kept:
        if model._meta.db_table not in connection.introspection.table_names():
            with connection.schema_editor() as editor:
                editor.create_model(model)
    if not User.objects.filter(username="me").exists():
        User.objects.create_user("me", password=os.environ["REAL_PASSWORD"])


def consent():
    """The person lets the program `syncd` in, once, and another client for ever."""
    from datetime import timedelta

    from django.utils import timezone
    from oauth2_provider.models import AccessToken, Application, RefreshToken

    if Application.objects.exists():
        return
    user = User.objects.get(username="me")
    program = Application.objects.create(
        client_id="syncd", client_secret="of ours", client_type="confidential",
        authorization_grant_type="authorization-code", user=user)
    AccessToken.objects.create(
        user=user, application=program, token="other-client", expires=timezone.now() + timedelta(days=1))
    ended = AccessToken.objects.create(
        user=user, application=program, token="ended", expires=timezone.now() - timedelta(hours=1))
    RefreshToken.objects.create(
        user=user, application=program, token=os.environ["REAL_PASSWORD"], access_token=ended)


def serve(port):
    call_command("runserver", "127.0.0.1:" + port, use_reloader=False, skip_checks=True)


if __name__ == "__main__":
    prepare([Note])
    if OAUTH:
        consent()
    serve(sys.argv[1])
