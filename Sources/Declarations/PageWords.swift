/// The words in which servers tell, in the body of an answer, how long a list is and where it goes on.
package enum PageWords {
    /// The objects in which they stand, from the body down.
    package static let parents: [[String]] = [
        [], ["meta"], ["meta", "pagination"], ["pagination"], ["page_info"], ["pageInfo"],
        ["paging"], ["page"], ["info"], ["metadata"], ["_meta"], ["_metadata"], ["_pagination"],
        ["links"], ["_links"], ["@links"], ["result_info"], ["response_metadata"],
        ["meta", "page"],
    ]
    /// How many rows there are.
    package static let totals = [
        "total", "totalItems", "total_items", "total_count", "totalCount", "total_results",
        "totalResults", "totalElements", "count", "@odata.count", "total_rows", "filter_count",
        "total_size", "totalSize", "@total_size", "total_records", "totalRecords",
    ]
    /// The same at a few servers. At others it is the length of a page.
    package static let weakTotal = "size"
    /// How many pages there are.
    package static let pageTotals = [
        "total_pages", "totalPages", "pageCount", "page_count", "last_page", "lastPage",
        "num_pages", "pages",
    ]
    /// True where there is more.
    package static let flags = [
        "has_more", "hasMore", "has_next", "hasNext", "hasNextPage", "more",
    ]
    /// The address of the next page.
    package static let addresses = [
        ["next"], ["links", "next"], ["_links", "next", "href"], ["links", "next", "href"],
        ["@odata.nextLink"], ["nextLink"], ["next_url"], ["meta", "next"], ["meta", "next_url"],
        ["pagination", "next"], ["pagination", "next_url"], ["paging", "next"],
        ["meta", "pagination", "links", "next"], ["next_page_url"], ["info", "next"],
        ["_pagination", "next", "url"],
    ]
    /// The same as a list of links, and what has the address in its first one.
    package static let linkLists = [(list: ["@links", "next"], address: "uri")]
    /// How many rows stand before the page, and how many a page has at most.
    package static let starts = ["offset", "skip", "start", "startAt"]
    package static let limits = ["limit", "per_page", "maxResults", "take"]
    /// The names by which alone a next page is told, whatever its value is.
    package static let nextNames = [
        "next", "next_url", "nextUrl", "nextLink", "next_link", "next_page", "nextPage",
        "next_page_url", "nextPageUrl", "@odata.nextLink", "next_cursor", "nextCursor",
        "next_page_token", "nextPageToken", "next_offset",
    ]
}
