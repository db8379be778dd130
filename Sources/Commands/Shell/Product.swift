/// The name and the version of this program.
enum Product {
    static let version = "0.1.0"
    /// What it calls itself to servers.
    static let userAgent = "syncd/\(version)"
    /// TMDB's terms of use ask for this sentence.
    static let attribution =
        "This product uses the TMDB API but is not endorsed or certified by TMDB."
}
