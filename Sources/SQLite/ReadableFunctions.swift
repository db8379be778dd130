/// The functions that SQL from outside may call: those that compute a value from their arguments or from
/// the rows, of SQLite 3.40 and of later versions.
///
/// The list leaves out functions that load code or give pointers away (`load_extension`,
/// `fts3_tokenizer`), that have effects (`sqlite_log`), that belong to the inside of SQLite or of a
/// virtual table (`rtreenode`), and all that a program or an extension adds (`readfile`,
/// `writefile`, `edit`). Source: https://www.sqlite.org/lang_corefunc.html and the pages beside it
package enum ReadableFunctions {
    /// In small letters, as SQLite registers them; operators under the names of their functions.
    package static let names: Set<String> = Set(
        (core + dates + aggregates + windows + json + mathematics + fullText)
            .split(whereSeparator: \.isWhitespace).map { String($0) })

    private static let core = """
        abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr
        last_insert_rowid length like likelihood likely lower ltrim match max min nullif octet_length
        printf quote random randomblob replace round rtrim sign soundex
        sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_version substr
        substring subtype total_changes trim typeof unhex unicode unistr unistr_quote unlikely upper
        zeroblob

        """
    private static let dates = """
        current_date current_time current_timestamp date datetime julianday strftime time timediff
        unixepoch

        """
    private static let aggregates = """
        avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total

        """
    private static let windows = """
        cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank
        row_number

        """
    private static let json = """
        -> ->> json json_array json_array_insert json_array_length json_error_position json_extract
        json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
        json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert
        jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
        jsonb_remove jsonb_replace jsonb_set

        """
    private static let mathematics = """
        acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10
        log2 mod pi pow power radians sin sinh sqrt tan tanh trunc

        """
    private static let fullText = "bm25 fts5_get_locale fts5_locale highlight snippet"
}
