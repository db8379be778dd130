/// The invented vocabulary of the generated movies; every text here is our own.
enum MovieWords {
    static let adjectives = [
        "Quiet", "Paper", "Copper", "Borrowed", "Winter", "Salted", "Slow", "Hollow", "Tin",
        "Velvet", "Northern", "Forgotten", "Amber", "Restless", "Second", "Crooked", "Glass",
        "Honest", "Faraway", "Midnight", "Wooden", "Patient", "Electric", "Scarlet", "Unwritten",
        "Gentle", "Lunar", "Stubborn", "Painted", "Invisible",
    ]
    static let nouns = [
        "Harbour", "Orchard", "Cartographer", "Lantern", "Ferry", "Clockmaker", "Meadow",
        "Telegram", "Beekeeper", "Staircase", "Comet", "Bakery", "Violin", "Glacier", "Postman",
        "Carousel", "Lighthouse", "Archive", "Kite", "Locksmith", "Tide", "Umbrella", "Observatory",
        "Tailor", "Fox", "Sleeper Train", "Snowfield", "Signal", "Garden", "Envelope", "Compass",
        "Radio", "Aquarium", "Bridge", "Puppeteer", "Chorus", "Satellite", "Mountain", "Recipe",
        "Horizon",
    ]
    static let places = [
        "Marrowby", "Port Elsin", "Tavira Street", "the Ninth District", "Lower Ashgrove",
        "Kestrel Bay", "Old Vantry", "Sorrel Hill", "the Long Canal", "Ostermoor", "Calloway",
        "Little Ravenna", "Brightwater", "the Salt Road", "Upper Linden", "Faro Island",
    ]
    static let names = [
        "Ines", "Tobias", "Mirela", "Okello", "Juno", "Samir", "Adaeze", "Leif", "Priya", "Matteo",
        "Yara", "Anselm", "Noor", "Casimir", "Hana", "Ruben", "Ottilie", "Dmitri", "Wanda", "Kofi",
    ]
    static let trades = [
        "retired diver", "night-shift nurse", "map restorer", "apprentice baker", "piano tuner",
        "customs clerk", "weather presenter", "stunt driver", "schoolteacher", "botanist",
        "ticket inspector", "ghostwriter", "bicycle courier", "lighthouse keeper", "judge",
    ]
    static let finds = [
        "finds a door that was not there yesterday", "inherits half of a travelling circus",
        "receives letters dated thirty years ahead", "loses the only key to the town archive",
        "promises to bring a piano over the pass", "hears the same song from every radio",
        "is mistaken for a missing heir", "learns that the river is to be moved",
        "takes in a stranger who never sleeps", "wins a boat that nobody has ever seen",
        "must share a flat with an old rival", "discovers who has been feeding the wolves",
    ]
    static let stakes = [
        "With one week until the thaw, nobody in town can afford to look away.",
        "What begins as a small lie soon needs the whole street to keep it.",
        "The road there is long; the way back is longer.",
        "Some debts, it turns out, are paid in stories.",
        "Only the children seem to know what happens at low tide.",
        "It would be simple, if it were not for the wedding.",
        "And then the lights come back on.",
        "Two families, one kitchen, and a winter that will not end.",
    ]
    /// Titles in other languages: the language as the service names it, the original, ours.
    static let translated: [(language: String, original: String, title: String)] = [
        ("ja", "雨の図書館", "Library of Rain"), ("ko", "바람의 정류장", "Where the Wind Stops"),
        ("cn", "月光下嘅麵檔", "Noodles by Moonlight"), ("zh", "第九盏灯", "The Ninth Lamp"),
        ("ru", "Тихий маяк", "Тихий маяк"), ("uk", "Місто яблук", "City of Apples"),
        ("el", "Το νησί των ανέμων", "Island of the Winds"), ("ar", "حديقة الضوء", "حديقة الضوء"),
        ("he", "הגשר שאחרי הגשם", "The Bridge After Rain"), ("hi", "नदी का गीत", "Song of a River"),
        ("th", "ร้านหนังสือกลางฝน", "Bookshop in the Rain"), ("ka", "ზამთრის ბაღი", "Winter Garden"),
        ("fr", "L’Été des parapluies", "L’Été des parapluies"),
        ("de", "Grüße aus Übermorgen", "Grüße aus Übermorgen"),
        ("es", "Mañana será otro año", "Mañana será otro año"),
        ("pl", "Źródło pod żaglem", "A Spring Under Sail"),
        ("tr", "İkinci Işık", "İkinci Işık"), ("vi", "Tiệm bánh cuối phố", "The Last Bakery"),
        ("is", "Þögn á jökli", "Silence on Ice"), ("en", "Popcorn Weather 🍿", "Popcorn Weather 🍿"),
        ("en", "👩‍🚀 Comes Home", "👩‍🚀 Comes Home"), ("en", "\"Quoted\"", "\"Quoted\""),
        ("en", "Half / Whole \\ Nothing", "Half / Whole \\ Nothing"),
        ("it", "Caffe\u{301} Meridiano", "Caffe\u{301} Meridiano"),
    ]
    static let genres = [12, 14, 16, 18, 27, 28, 35, 36, 37, 53, 80, 99, 878, 9648, 10402, 10749]
}
