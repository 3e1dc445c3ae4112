-- A small library: its tables, and some rows. Names are invented or of well-known books.
CREATE TABLE author (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  born INTEGER NOT NULL
);
CREATE TABLE book (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  genre TEXT NOT NULL,
  year INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  author_id INTEGER NOT NULL REFERENCES author (id)
);
CREATE TABLE member (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT NOT NULL,
  joined INTEGER NOT NULL
);
CREATE TABLE loan (
  id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES book (id),
  member_id INTEGER NOT NULL REFERENCES member (id),
  days INTEGER NOT NULL,
  fine REAL
);
INSERT INTO author VALUES
  (1, 'Chinua Achebe', 'Nigeria', 1930), (2, 'Jane Austen', 'England', 1775),
  (3, 'Jorge Luis Borges', 'Argentina', 1899), (4, 'Italo Calvino', 'Italy', 1923),
  (5, 'Agatha Christie', 'England', 1890), (6, 'Umberto Eco', 'Italy', 1932),
  (7, 'Ursula Le Guin', 'United States', 1929), (8, 'Stanislaw Lem', 'Poland', 1921),
  (9, 'Toni Morrison', 'United States', 1931), (10, 'Haruki Murakami', 'Japan', 1949),
  (11, 'Mary Shelley', 'England', 1797), (12, 'Wole Soyinka', 'Nigeria', 1934);
INSERT INTO book VALUES
  (1, 'Things Fall Apart', 'novel', 1958, 209, 1), (2, 'Arrow of God', 'novel', 1964, 287, 1),
  (3, 'Emma', 'romance', 1815, 474, 2), (4, 'Persuasion', 'romance', 1817, 249, 2),
  (5, 'Ficciones', 'short stories', 1944, 174, 3), (6, 'The Aleph', 'short stories', 1949, 146, 3),
  (7, 'Invisible Cities', 'fantasy', 1972, 165, 4), (8, 'The Baron in the Trees', 'novel', 1957, 217, 4),
  (9, 'Murder on the Orient Express', 'crime', 1934, 256, 5), (10, 'Death on the Nile', 'crime', 1937, 288, 5),
  (11, 'The Name of the Rose', 'crime', 1980, 512, 6), (12, 'Baudolino', 'novel', 2000, 521, 6),
  (13, 'A Wizard of Earthsea', 'fantasy', 1968, 183, 7), (14, 'The Dispossessed', 'science fiction', 1974, 387, 7),
  (15, 'Solaris', 'science fiction', 1961, 204, 8), (16, 'The Cyberiad', 'science fiction', 1965, 295, 8),
  (17, 'Beloved', 'novel', 1987, 324, 9), (18, 'Jazz', 'novel', 1992, 229, 9),
  (19, 'Kafka on the Shore', 'fantasy', 2002, 505, 10), (20, 'Norwegian Wood', 'romance', 1987, 296, 10),
  (21, 'Frankenstein', 'science fiction', 1818, 280, 11), (22, 'The Interpreters', 'novel', 1965, 254, 12);
INSERT INTO member VALUES
  (1, 'Ada Brandt', 'Leeds', 2015), (2, 'Bo Lindqvist', 'York', 2018), (3, 'Carla Reyes', 'Leeds', 2019),
  (4, 'Dev Patel', 'Bradford', 2020), (5, 'Ewa Nowak', 'York', 2021), (6, 'Finn Murphy', 'Hull', 2022),
  (7, 'Grace Obi', 'Bradford', 2016), (8, 'Hana Sato', 'Hull', 2023);
INSERT INTO loan VALUES
  (1, 1, 1, 14, NULL), (2, 9, 1, 21, NULL), (3, 15, 1, 30, 2.5), (4, 13, 2, 10, NULL),
  (5, 14, 2, 12, NULL), (6, 3, 3, 40, 6.0), (7, 20, 3, 7, NULL), (8, 11, 4, 28, 1.0),
  (9, 15, 4, 9, NULL), (10, 16, 5, 16, NULL), (11, 15, 5, 35, 4.0), (12, 1, 7, 20, NULL),
  (13, 2, 7, 18, NULL), (14, 22, 7, 25, NULL), (15, 19, 3, 33, 3.5), (16, 7, 2, 5, NULL),
  (17, 10, 1, 11, NULL), (18, 17, 7, 13, NULL), (19, 21, 4, 45, 8.5), (20, 5, 5, 8, NULL);
