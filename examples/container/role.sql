-- Run once by the image of PostgreSQL, in an empty volume: the site owns its database and is no superuser. CREATEDB is
-- for the weekly restore on trial. The superuser remains for who has this container: docker compose exec.
\getenv password DATABASE_PASSWORD
CREATE ROLE rummy LOGIN CREATEDB PASSWORD :'password';
CREATE DATABASE rummy OWNER rummy;
ALTER ROLE postgres PASSWORD NULL;
