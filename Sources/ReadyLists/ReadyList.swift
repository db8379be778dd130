/// A declaration of a list that many people's servers have.
///
/// The files stand in `examples/lists`, to be read and copied. Links to them stand here, so that the
/// program has them wherever it is.
public struct ReadyList: Sendable, Hashable {
    /// The file's name without its ending.
    public let name: String
    /// The file's content.
    public let bytes: [UInt8]

    /// Every one, in the order of the names. A test compares them with the folder.
    public static let all: [ReadyList] = [
        ReadyList(
            name: "alertmanager-silences", bytes: PackageResources.alertmanager_silences_json),
        ReadyList(name: "directus", bytes: PackageResources.directus_json),
        ReadyList(
            name: "django-rest-framework", bytes: PackageResources.django_rest_framework_json),
        ReadyList(name: "express", bytes: PackageResources.express_json),
        ReadyList(name: "fastapi", bytes: PackageResources.fastapi_json),
        ReadyList(name: "gitea-issues", bytes: PackageResources.gitea_issues_json),
        ReadyList(name: "github-issues", bytes: PackageResources.github_issues_json),
        ReadyList(
            name: "home-assistant-states", bytes: PackageResources.home_assistant_states_json),
        ReadyList(name: "miniflux", bytes: PackageResources.miniflux_json),
        ReadyList(name: "nextcloud-notes", bytes: PackageResources.nextcloud_notes_json),
        ReadyList(name: "pocketbase", bytes: PackageResources.pocketbase_json),
        ReadyList(name: "postgrest", bytes: PackageResources.postgrest_json),
        ReadyList(name: "rails", bytes: PackageResources.rails_json),
        ReadyList(name: "vapor", bytes: PackageResources.vapor_json),
    ]
}
