"""Every table of clubs, tournaments, their log and their boards, as the migrations up to 0060 leave them.

An empty database begins here. One that has some of those migrations goes on with them, and one that has them all
counts this one as applied. Steps that move rows are left out: there are none yet. On PostgreSQL keys lead with the
club; triggers are put up at the end of every `migrate`. docs/decisions/0065-keys-lead-with-the-club.md
"""

import datetime
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
import tournaments.models.log
import tournaments.models.people
import tournaments.models.public_names
import uuid
from django.conf import settings
from django.db import migrations, models

from scoring.storage.postgresql import give_keys

OF_A_CLUB = ("tournament", "player", "season", "table")
WITHIN_CLUB = "ALTER TABLE tournaments_{0} ADD CONSTRAINT {0}_within_club UNIQUE (club_id, id)"
OF_CLUB = "FOREIGN KEY (club_id) REFERENCES tournaments_club(id) DEFERRABLE INITIALLY DEFERRED"


def of(owner):
    return f"FOREIGN KEY (club_id, {owner}_id) REFERENCES tournaments_{owner}(club_id, id) DEFERRABLE INITIALLY DEFERRED"


KEYS = {
    "tournaments_stream": {
        "tournaments_stream_pkey": "PRIMARY KEY (club_id, id)",
        "tournaments_stream_club_id_5b7acfaa_fk_tournaments_club_id": OF_CLUB,
    },
    "tournaments_event": {
        "event_one_per_club_position": 'PRIMARY KEY (club_id, "position")',
        "event_one_per_stream_version": "UNIQUE (club_id, stream_id, version)",
        "event_one_per_club_and_key": "UNIQUE (club_id, key)",
        "tournaments_event_club_id_81ce0bb7_fk_tournaments_club_id": OF_CLUB,
        "event_stream_fk": (
            "FOREIGN KEY (club_id, stream_id) REFERENCES tournaments_stream(club_id, id) DEFERRABLE INITIALLY DEFERRED"
        ),
    },
    "tournaments_eventnote": {
        "tournaments_eventnote_pkey": 'PRIMARY KEY (club_id, "position")',
        "eventnote_event_fk": (
            'FOREIGN KEY (club_id, "position") REFERENCES tournaments_event(club_id, "position")'
            " DEFERRABLE INITIALLY DEFERRED"
        ),
    },
    "tournaments_seal": {
        "seal_one_per_club_and_start": "PRIMARY KEY (club_id, from_position)",
        "tournaments_seal_club_id_785c6bf5_fk_tournaments_club_id": OF_CLUB,
    },
    "tournaments_table": {
        "tournaments_table_pkey": "PRIMARY KEY (id)",
        "table_within_club": "UNIQUE (club_id, id)",
        "table_number_once_per_round": "UNIQUE (tournament_id, round, number)",
        "table_tournament_fk": of("tournament"),
    },
    "tournaments_scoresheet": {
        "tournaments_scoresheet_pkey": "PRIMARY KEY (club_id, table_id)",
        "scoresheet_table_fk": of("table"),
        "scoresheet_by_table": "btree (table_id)",
        "scoresheet_settlement_due": "btree (due_version) WHERE (due_version > settled_version)",
    },
    "tournaments_standing": {
        "standing_once_per_seat": "PRIMARY KEY (club_id, table_id, seat_number)",
        "standing_table_fk": of("table"),
        "standing_tournament_fk": of("tournament"),
        "standing_player_fk": of("player"),
        "standing_by_table": "btree (table_id)",
        "standing_by_tournament": "btree (tournament_id, place)",
        "standing_by_player": "btree (player_id, tournament_id)",
    },
    "tournaments_eveningsheet": {
        "tournaments_eveningsheet_pkey": "PRIMARY KEY (club_id, tournament_id)",
        "eveningsheet_tournament_fk": of("tournament"),
        "eveningsheet_by_tournament": "btree (tournament_id)",
        "evening_settlement_due": "btree (due_position) WHERE (due_position > settled_position)",
    },
    "tournaments_nightresult": {
        "tournaments_nightresult_pkey": "PRIMARY KEY (club_id, tournament_id)",
        "nightresult_tournament_fk": of("tournament"),
        "nightresult_by_tournament": "btree (tournament_id)",
    },
    "tournaments_seasontable": {
        "tournaments_seasontable_pkey": "PRIMARY KEY (club_id, season_id)",
        "seasontable_season_fk": of("season"),
        "seasontable_by_season": "btree (season_id)",
    },
    "tournaments_playerrating": {
        "tournaments_playerrating_pkey": "PRIMARY KEY (club_id, player_id)",
        "playerrating_player_fk": of("player"),
        "playerrating_by_player": "btree (player_id)",
    },
    "tournaments_playercredit": {
        "playercredit_once": "PRIMARY KEY (club_id, player_id, currency)",
        "playercredit_player_fk": of("player"),
        "playercredit_by_player": "btree (player_id)",
    },
    "tournaments_cashbook": {
        "tournaments_cashbook_pkey": "PRIMARY KEY (club_id, id)",
        "cashbook_number_once": "UNIQUE (club_id, currency, number)",
        "cashbook_one_open": "UNIQUE btree (club_id, currency) WHERE (NOT is_closed)",
        "cashbook_by_id": "btree (id)",
        "tournaments_cashbook_club_id_d5268612_fk_tournaments_club_id": OF_CLUB,
    },
    "tournaments_keptanswer": {
        "keptanswer_once_per_view": "PRIMARY KEY (club_id, tournament_id, view)",
    },
}


def lead_with_the_club(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        # Django keeps references and indexes back until a migration ends: those that are exchanged must be there now.
        while schema_editor.deferred_sql:
            schema_editor.execute(schema_editor.deferred_sql.pop(0), None)
        with schema_editor.connection.cursor() as cursor:
            for name in OF_A_CLUB:
                cursor.execute(WITHIN_CLUB.format(name))
            give_keys(cursor, KEYS)


class Migration(migrations.Migration):

    replaces = [
        ('tournaments', '0001_clubs_tables_and_log'),
        ('tournaments', '0002_log_is_append_only'),
        ('tournaments', '0003_table_tokens'),
        ('tournaments', '0004_evenings'),
        ('tournaments', '0005_checks_of_deals'),
        ('tournaments', '0006_seating_drafts'),
        ('tournaments', '0007_rehearsals'),
        ('tournaments', '0008_prizes_of_evenings'),
        ('tournaments', '0009_locales_of_clubs'),
        ('tournaments', '0010_cash_books'),
        ('tournaments', '0011_tournaments_given_up'),
        ('tournaments', '0012_entries_in_the_books'),
        ('tournaments', '0013_limits_of_clubs'),
        ('tournaments', '0014_fees_of_tournaments'),
        ('tournaments', '0015_members_of_clubs'),
        ('tournaments', '0016_public_names'),
        ('tournaments', '0019_screens_of_tournaments'),
        ('tournaments', '0020_seasons'),
        ('tournaments', '0021_club_pages'),
        ('tournaments', '0022_words_of_lists_and_forms'),
        ('tournaments', '0023_nights_taken_back'),
        ('tournaments', '0024_beats_of_readings'),
        ('tournaments', '0025_evenings_that_wait_for_money'),
        ('tournaments', '0026_bounds_of_rows'),
        ('tournaments', '0027_which_code_wrote_the_boards'),
        ('tournaments', '0028_workers_that_miss_their_broker'),
        ('tournaments', '0029_failed_attempts'),
        ('tournaments', '0030_ends_of_tokens'),
        ('tournaments', '0031_bounds_of_workers_and_releases'),
        ('tournaments', '0032_slugs_of_clubs'),
        ('tournaments', '0033_closed_seasons_under_a_digest'),
        ('tournaments', '0034_bounds_of_season_digests'),
        ('tournaments', '0035_words_of_forms'),
        ('tournaments', '0036_keys_of_long_names'),
        ('tournaments', '0037_late_sheets'),
        ('tournaments', '0038_namesakes'),
        ('tournaments', '0039_devices'),
        ('tournaments', '0040_suspended_players'),
        ('tournaments', '0041_seats_of_cards'),
        ('tournaments', '0042_merged_players'),
        ('tournaments', '0043_boards_kept_as_bytes'),
        ('tournaments', '0044_published_copies'),
        ('tournaments', '0045_indexes_that_others_serve'),
        ('tournaments', '0046_ids_as_bytes'),
        ('tournaments', '0047_keys_of_the_log_lead_with_the_club'),
        ('tournaments', '0048_keys_of_boards_lead_with_the_club'),
        ('tournaments', '0049_keys_and_moments_as_numbers'),
        ('tournaments', '0050_slugs_in_any_capitals'),
        ('tournaments', '0051_indexes_for_a_few_of_many_players'),
        ('tournaments', '0052_index_of_merged_players'),
        ('tournaments', '0053_search_keys_of_names'),
        ('tournaments', '0054_table_cards_opened_and_typed'),
        ('tournaments', '0055_cash_rounding_of_clubs'),
        ('tournaments', '0056_amounts_of_players_are_public'),
        ('tournaments', '0057_names_in_books'),
        ('tournaments', '0058_answers_in_a_cache'),
        ('tournaments', '0059_tables_entered_by_totals'),
        ('tournaments', '0060_standing_has_left'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('scoring', '0002_kinds_of_money'),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('slug', models.SlugField(max_length=60, unique=True, verbose_name='slug')),
                ('currency', models.CharField(default='INR', help_text='ISO 4217, for example INR', max_length=3, verbose_name='currency')),
                ('timezone', models.CharField(default='Asia/Kolkata', help_text='For example Asia/Kolkata', max_length=60, verbose_name='timezone')),
                ('is_published', models.BooleanField(default=False, help_text='Publish standings', verbose_name='is published')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('locale', models.CharField(default='en_IN', help_text='How amounts are written, for example en_IN', max_length=20, verbose_name='locale')),
                ('keeps_limits', models.BooleanField(default=False, help_text='Players need enough balance or credit to play or re-enter', verbose_name='requires balance or credit')),
                ('naming', models.CharField(choices=[('full', 'full name'), ('first', 'first name and initial, as Asha R.'), ('initials', 'initials, as A. R.')], default='full', help_text="On public pages. A player can choose another way on the player's page.", max_length=12, verbose_name='player names on public pages')),
                ('about', models.TextField(blank=True, default='', help_text="A few lines for visitors of the club's page; an empty line begins a paragraph", max_length=2000, verbose_name='about')),
                ('venue', models.CharField(blank=True, default='', help_text='The address, as on a letter, in one line', max_length=200, verbose_name='venue')),
                ('website', models.URLField(blank=True, default='', help_text='A full address that begins with https://', validators=[django.core.validators.URLValidator(schemes=['https', 'http'])], verbose_name='web page or contact')),
                ('token_days', models.PositiveSmallIntegerField(blank=True, default=180, help_text='From the day a link is made. Empty: links never end', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(3650)], verbose_name='device links end after, days')),
                ('tokens_end_with_password', models.BooleanField(default=True, help_text="Ends a person's device links when their password is changed", verbose_name='new password ends device links')),
                ('telling', models.CharField(choices=[('letters', 'characters of an id, as Asha (3f2a)'), ('number', 'a number, as Asha (2)'), ('initial', 'a letter, as Asha (B)'), ('year', 'the year added, as Asha (2026)')], default='letters', help_text='Behind the name of the second one. Names given before do not change.', max_length=8, verbose_name='players of the same name')),
                ('cash_rounding', models.CharField(choices=[('nearest', 'to the nearest'), ('player', "in the player's favour")], default='nearest', help_text='Where a smallest note or coin is set', max_length=8, verbose_name='cash rounding')),
                ('smallest_cash', models.JSONField(blank=True, default=dict, help_text='By currency, such as INR 1.00; EUR 0.05: cash is rounded to it. Empty: exact', verbose_name='smallest note or coin')),
                ('shows_money', models.BooleanField(db_default=True, default=True, help_text='Off: only people of the club see who won or lost how much', verbose_name='publish amounts of players')),
                ('keep_names_years', models.PositiveSmallIntegerField(db_default=10, default=10, help_text='After erasing a player, in accounts, receipts and payouts. 0: not at all', validators=[django.core.validators.MaxValueValidator(30)], verbose_name='keep names in books (years)')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), django.db.models.lookups.Exact(models.F('currency'), django.db.models.functions.text.Upper('currency'))), name='club_currency_is_three_capitals'),
                    models.CheckConstraint(condition=models.Q(('naming__in', ['full', 'first', 'initials', 'pseudonym']), models.Q(('naming', 'pseudonym'), _negated=True)), name='club_naming_is_known'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 60), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('timezone'), 60), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('locale'), 20), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('about'), 2000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('venue'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('website'), 200)), name='club_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='club_within_the_calendar'),
                    models.CheckConstraint(condition=models.Q(('token_days__range', (1, 3650))), name='club_token_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('telling__in', ['letters', 'number', 'initial', 'year'])), name='club_telling_is_known'),
                    models.CheckConstraint(condition=models.Q(('cash_rounding__in', ['nearest', 'player'])), name='club_cash_rounding_is_known'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('smallest_cash'), models.TextField())), 1000)), name='club_json_fits'),
                    models.CheckConstraint(condition=models.Q(('keep_names_years__range', (0, 30))), name='club_names_numbers_fit'),
                ],
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs',
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('director', 'Director'), ('scorer', 'Scorer'), ('cashier', 'Cashier'), ('checkin', 'check-in'), ('auditor', 'Treasurer'), ('display', 'Display')], max_length=20, verbose_name='role')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='tournaments.club')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'club'), name='membership_one_role_per_club'),
                    models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'director', 'scorer', 'cashier', 'checkin', 'auditor', 'display'])), name='membership_role_is_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('name_key', tournaments.models.people.NameKeyField(editable=False, max_length=800)),
                ('note', models.TextField(blank=True, default='', max_length=10000, verbose_name='note')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created at')),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='players', to='tournaments.club', verbose_name='club')),
                ('is_member', models.BooleanField(default=False, help_text='Pays the member fee where the plan has one', verbose_name='member of the club')),
                ('naming', models.CharField(blank=True, choices=[('full', 'full name'), ('first', 'first name and initial, as Asha R.'), ('initials', 'initials, as A. R.'), ('pseudonym', 'a chosen name')], default='', help_text="The player's choice. Empty: the club's setting.", max_length=12, verbose_name='name on public pages')),
                ('pseudonym', models.CharField(blank=True, default='', help_text='Public name the player chose', max_length=200)),
                ('has_page', models.BooleanField(default=True, help_text='Published results on one page. Turn off for a player who objects.', verbose_name='has a public page')),
                ('public_name', tournaments.models.public_names.PublicNameField(default='', editable=False, max_length=240)),
                ('public_key', tournaments.models.people.PublicKeyField(default='', editable=False, max_length=900)),
                ('is_suspended', models.BooleanField(default=False, help_text='Seated in a tournament only after a question', verbose_name='suspended')),
                ('merged_into', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_rows', to='tournaments.player')),
                ('merged_name', models.CharField(blank=True, default='', editable=False, max_length=200)),
                ('public_search_key', tournaments.models.people.PublicSearchKeyField(default='', editable=False, max_length=800)),
                ('search_key', tournaments.models.people.SearchKeyField(default='', editable=False, max_length=800)),
                ('books_name', models.CharField(blank=True, db_default='', default='', editable=False, max_length=200)),
            ],
            options={
                'ordering': ['search_key'],
                'indexes': [
                    models.Index(fields=['club', 'name_key'], name='player_by_club_and_name'),
                    models.Index(fields=['club', 'public_key'], name='player_by_public_name'),
                    models.Index(condition=models.Q(('merged_into__isnull', False)), fields=['club'], name='player_merged'),
                    models.Index(fields=['club', 'search_key'], name='player_a_to_z'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('naming__in', ['', 'full', 'first', 'initials', 'pseudonym'])), name='player_naming_is_known'),
                    models.CheckConstraint(condition=models.Q(('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('erased_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='player_within_the_calendar'),
                    models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='player_not_merged_into_itself'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name_key'), 800), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('search_key'), 800), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('pseudonym'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('public_name'), 240), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('public_key'), 900), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('public_search_key'), 800), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('note'), 10000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('merged_name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('books_name'), 200)), name='player_texts_fit'),
                ],
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
            },
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('from_position', models.BigIntegerField()),
                ('to_position', models.BigIntegerField()),
                ('root', models.BinaryField(max_length=32)),
                ('previous', models.BinaryField(max_length=32)),
                ('hash', models.BinaryField(max_length=32)),
                ('sealed_at', models.DateTimeField()),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seals', to='tournaments.club')),
            ],
            options={
                'ordering': ['club', 'to_position'],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'from_position'), name='seal_one_per_club_and_start'),
                    models.CheckConstraint(condition=models.Q(('from_position__gte', 1), ('to_position__gte', models.F('from_position'))), name='seal_covers_at_least_one_event'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Stream',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('table', 'Table'), ('tournament', 'Tournament'), ('cash', 'Cash'), ('club', 'Club')], max_length=20)),
                ('version', models.PositiveIntegerField(default=0)),
                ('head_hash', models.BinaryField(max_length=32)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='streams', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('version__gte', 0)), name='stream_version_not_negative'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('head_hash'), 32), name='stream_head_hash_is_32_bytes'),
                    models.CheckConstraint(condition=models.Q(('version__range', (0, 2147483647))), name='stream_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['table', 'tournament', 'cash', 'club'])), name='stream_kind_is_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('position', models.BigIntegerField(verbose_name='position')),
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('kind', models.CharField(max_length=40, verbose_name='kind')),
                ('schema', models.PositiveSmallIntegerField(verbose_name='schema')),
                ('recipe', models.PositiveSmallIntegerField(verbose_name='recipe')),
                ('body', models.TextField(verbose_name='body')),
                ('actor', models.CharField(max_length=100, verbose_name='actor')),
                ('device', models.CharField(blank=True, max_length=100, verbose_name='device')),
                ('recorded_at', tournaments.models.log.MomentField(verbose_name='recorded at')),
                ('occurred_at', tournaments.models.log.MomentField(verbose_name='occurred at')),
                ('key', models.UUIDField(verbose_name='key')),
                ('request_digest', models.BinaryField(max_length=32)),
                ('note_digest', models.BinaryField(max_length=32)),
                ('hash', models.BinaryField(max_length=32)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.club', verbose_name='club')),
                ('stream', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.stream', verbose_name='stream')),
                ('given_key', models.TextField(blank=True, db_default='', default='', editable=False)),
            ],
            options={
                'ordering': ['club', 'position'],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'position'), name='event_one_per_club_position'),
                    models.UniqueConstraint(fields=('stream', 'version'), name='event_one_per_stream_version'),
                    models.UniqueConstraint(fields=('club', 'key'), name='event_one_per_club_and_key'),
                    models.CheckConstraint(condition=models.Q(('position__gte', 1)), name='event_position_from_1'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='event_version_from_1'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('hash'), 32), name='event_hash_is_32_bytes'),
                ],
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
            },
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('preset', models.CharField(blank=True, default='', max_length=40)),
                ('variant', models.CharField(max_length=40, verbose_name='variant')),
                ('options', models.JSONField(blank=True, default=dict)),
                ('currency', models.CharField(default='INR', max_length=3)),
                ('entry_minor', models.BigIntegerField(default=0)),
                ('fee_bp', models.IntegerField(default=0, help_text='Basis points: 1000 is 10 %')),
                ('point_value_minor', models.BigIntegerField(default=0)),
                ('starts_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='starts at')),
                ('is_published', models.BooleanField(default=True, verbose_name='is published')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='closed at')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('board_position', models.BigIntegerField(default=0, editable=False, help_text='Log position of the last change to the leaderboard')),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='tournaments.club', verbose_name='club')),
                ('is_cancelled', models.BooleanField(default=False, editable=False, help_text='Abandoned: closed, and nothing is owed')),
                ('fee_cap_minor', models.BigIntegerField(blank=True, help_text='Maximum house fee of a pot or deal', null=True)),
                ('fee_floor_minor', models.BigIntegerField(default=0, help_text='Minimum house fee of a pot or deal')),
                ('levy_bp', models.IntegerField(default=0, help_text='A levy or tax beside the fee, in basis points; passed on')),
                ('levy_name', models.CharField(default='levy', max_length=40)),
                ('levy_on', models.CharField(choices=[('gross', 'all that is paid in'), ('fee', 'the house fee')], default='gross', max_length=5)),
                ('unpublished_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'ordering': ['-starts_at', 'name'],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'slug'), name='tournament_slug_once_per_club'),
                    models.CheckConstraint(condition=models.Q(('entry_minor__gte', 0)), name='tournament_entry_not_negative'),
                    models.CheckConstraint(condition=models.Q(('fee_bp__gte', 0), ('fee_bp__lte', 10000)), name='tournament_fee_0_to_100_percent'),
                    models.CheckConstraint(condition=models.Q(('point_value_minor__gte', 0)), name='tournament_point_value_not_negative'),
                    models.CheckConstraint(condition=models.Q(('board_position__gte', 0)), name='tournament_board_position_not_negative'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), django.db.models.lookups.Exact(models.F('currency'), django.db.models.functions.text.Upper('currency'))), name='tournament_currency_is_three_capitals'),
                    models.CheckConstraint(condition=models.Q(('fee_floor_minor__gte', 0)), name='tournament_fee_floor_not_negative'),
                    models.CheckConstraint(condition=models.Q(('fee_cap_minor__isnull', True), ('fee_cap_minor__gte', models.F('fee_floor_minor')), _connector='OR'), name='tournament_fee_cap_not_under_the_floor'),
                    models.CheckConstraint(condition=models.Q(('levy_bp__gte', 0), ('levy_bp__lte', 10000)), name='tournament_levy_0_to_100_percent'),
                    models.CheckConstraint(condition=models.Q(('levy_on__in', ['gross', 'fee'])), name='tournament_levy_on_is_known'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 80), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('preset'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('variant'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('levy_name'), 40)), name='tournament_texts_fit'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('options'), models.TextField())), 20000)), name='tournament_json_fits'),
                    models.CheckConstraint(condition=models.Q(('entry_minor__range', (0, 1000000000000)), ('fee_floor_minor__range', (0, 1000000000000)), ('fee_cap_minor__range', (0, 1000000000000)), ('point_value_minor__range', (0, 1000000)), ('board_position__range', (0, 1000000000000000))), name='tournament_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('starts_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('unpublished_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('closed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='tournament_within_the_calendar'),
                ],
                'verbose_name': 'tournament',
                'verbose_name_plural': 'tournaments',
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('round', models.PositiveSmallIntegerField(default=1, verbose_name='round')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('name', models.CharField(blank=True, default='', max_length=100)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tournaments.tournament', verbose_name='tournament')),
                ('club', models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
            options={
                'ordering': ['round', 'number'],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'round', 'number'), name='table_number_once_per_round'),
                    models.CheckConstraint(condition=models.Q(('round__gte', 1)), name='table_round_from_1'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='table_number_from_1'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 100)), name='table_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('round__range', (1, 9999)), ('number__range', (1, 9999))), name='table_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='table_within_the_calendar'),
                ],
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.player')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.table')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'number'), name='seat_number_once_per_table'),
                    models.UniqueConstraint(fields=('table', 'player'), name='seat_player_once_per_table'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 10)), name='seat_number_1_to_10'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat_number', models.PositiveSmallIntegerField()),
                ('round', models.PositiveSmallIntegerField()),
                ('place', models.PositiveSmallIntegerField(null=True)),
                ('total', models.IntegerField(null=True)),
                ('chips', models.IntegerField(null=True)),
                ('net_points', models.IntegerField(default=0)),
                ('is_in', models.BooleanField(default=True)),
                ('out_in_deal', models.PositiveIntegerField(null=True)),
                ('drops_left', models.IntegerField(null=True)),
                ('may_rejoin', models.BooleanField(default=False)),
                ('deals_played', models.PositiveIntegerField(default=0)),
                ('deals_won', models.PositiveIntegerField(default=0)),
                ('wrong_shows', models.PositiveIntegerField(default=0)),
                ('drops', models.PositiveIntegerField(default=0)),
                ('rank_key', models.JSONField(default=list, help_text='List of integers; the lower one stands higher')),
                ('payout_minor', models.BigIntegerField(null=True)),
                ('is_finished', models.BooleanField(default=False)),
                ('position', models.BigIntegerField(help_text='Club position of the fact this row was last written for')),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='tournaments.player')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='tournaments.table')),
                ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='tournaments.tournament')),
                ('has_left', models.BooleanField(db_default=False, default=False)),
            ],
            options={
                'indexes': [
                    models.Index(fields=['tournament', 'place'], name='standing_by_tournament'),
                    models.Index(fields=['player', 'tournament'], name='standing_by_player'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'seat_number'), name='standing_once_per_seat'),
                    models.CheckConstraint(condition=models.Q(('seat_number__gte', 1), ('seat_number__lte', 10)), name='standing_seat_1_to_10'),
                    models.CheckConstraint(condition=models.Q(('round__range', (0, 32767)), ('place__range', (0, 32767)), ('total__range', (-2147483647, 2147483647)), ('chips__range', (-2147483647, 2147483647)), ('net_points__range', (-2147483647, 2147483647)), ('drops_left__range', (-2147483647, 2147483647)), ('out_in_deal__range', (0, 2147483647)), ('deals_played__range', (0, 2147483647)), ('deals_won__range', (0, 2147483647)), ('wrong_shows__range', (0, 2147483647)), ('drops__range', (0, 2147483647)), ('position__range', (0, 1000000000000000))), name='standing_numbers_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='WorkerHeartbeat',
            fields=[
                ('name', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('beat_at', models.DateTimeField()),
                ('broker_down_since', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 100)), name='workerheartbeat_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('beat_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('broker_down_since__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='workerheartbeat_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('director', 'Director'), ('scorer', 'Scorer'), ('cashier', 'Cashier'), ('checkin', 'check-in'), ('auditor', 'Treasurer'), ('display', 'Display')], max_length=20, verbose_name='role')),
                ('name', models.CharField(help_text='Device that uses it', max_length=100, verbose_name='name')),
                ('prefix', models.CharField(help_text='Its first characters, to tell links apart', max_length=12, verbose_name='prefix')),
                ('digest', models.CharField(help_text="SHA-256 of the link's code, in hex", max_length=64, unique=True, verbose_name='digest')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created at')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used at')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked at')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL, verbose_name='user')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='tournaments.club', verbose_name='club')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='ends')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'director', 'scorer', 'cashier', 'checkin', 'auditor', 'display'])), name='apitoken_role_is_known'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('digest'), 64), name='apitoken_digest_is_64_hex_digits'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 100), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('prefix'), 12)), name='apitoken_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('last_used_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('revoked_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='apitoken_within_the_calendar'),
                    models.CheckConstraint(condition=models.Q(('expires_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='apitoken_end_within_the_calendar'),
                ],
                'verbose_name': 'device link',
                'verbose_name_plural': 'device links',
            },
        ),
        migrations.CreateModel(
            name='ClubHead',
            fields=[
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='head', serialize=False, to='tournaments.club')),
                ('position', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('position__gte', 0)), name='clubhead_position_not_negative'),
                    models.CheckConstraint(condition=models.Q(('position__range', (0, 1000000000000000))), name='clubhead_numbers_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='EventNote',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='note', serialize=False, to='tournaments.event')),
                ('salt', models.BinaryField(max_length=16)),
                ('text', models.TextField()),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='event_notes', to='tournaments.club')),
                ('position', models.BigIntegerField()),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('position__range', (1, 1000000000000000))), name='eventnote_numbers_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Scoresheet',
            fields=[
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='scoresheet', serialize=False, to='tournaments.table')),
                ('version', models.PositiveIntegerField()),
                ('state', models.TextField()),
                ('is_finished', models.BooleanField(default=False)),
                ('is_closed', models.BooleanField(default=False)),
                ('is_cancelled', models.BooleanField(default=False)),
                ('has_conflict', models.BooleanField(default=False)),
                ('deals', models.PositiveIntegerField(default=0)),
                ('last_position', models.BigIntegerField()),
                ('last_recorded_at', models.DateTimeField()),
                ('due_version', models.PositiveIntegerField(default=0)),
                ('settled_version', models.PositiveIntegerField(default=0)),
                ('settle_problem', models.TextField(blank=True, default='')),
                ('settle_attempts', models.PositiveIntegerField(default=0)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
                ('has_dispute', models.BooleanField(default=False)),
                ('has_moved_on', models.BooleanField(default=False)),
                ('unconfirmed', models.PositiveIntegerField(default=0, help_text="Deals that wait for somebody else's word")),
                ('has_totals', models.BooleanField(db_default=False, default=False, help_text='Entered by its totals: no deal of it is known')),
            ],
            options={
                'indexes': [
                    models.Index(condition=models.Q(('due_version__gt', models.F('settled_version'))), fields=['due_version'], name='scoresheet_settlement_due'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='scoresheet_version_from_1'),
                    models.CheckConstraint(condition=models.Q(('last_position__gte', 1)), name='scoresheet_position_from_1'),
                    models.CheckConstraint(condition=models.Q(('version__range', (1, 2147483647)), ('unconfirmed__range', (0, 2147483647)), ('deals__range', (0, 2147483647)), ('last_position__range', (1, 1000000000000000)), ('due_version__range', (0, 2147483647)), ('settled_version__range', (0, 2147483647)), ('settle_attempts__range', (0, 2147483647))), name='scoresheet_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('last_recorded_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('settled_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='scoresheet_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TableToken',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('digest', models.CharField(help_text='SHA-256 of the secret, in hex', max_length=64, unique=True)),
                ('table_version', models.PositiveIntegerField(help_text='Version of the table when the card was made')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField()),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_tokens', to='tournaments.club')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_tokens', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='tournaments.table')),
                ('seat', models.PositiveSmallIntegerField(default=0)),
                ('code_digest', models.CharField(blank=True, default='', help_text='Keyed digest of the code to type; none on older cards', max_length=64)),
                ('opened', models.CharField(blank=True, default='', max_length=16)),
            ],
            options={
                'ordering': ['-created_at'],
                'constraints': [
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('digest'), 64), name='tabletoken_digest_is_64_hex_digits'),
                    models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='tabletoken_expires_after_it_is_made'),
                    models.CheckConstraint(condition=models.Q(('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('expires_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('last_used_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('revoked_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='tabletoken_within_the_calendar'),
                    models.CheckConstraint(condition=models.Q(('table_version__range', (0, 2147483647)), ('seat__range', (0, 10))), name='tabletoken_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('code_digest'), 64), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('opened'), 16)), name='tabletoken_texts_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='EveningSheet',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='evening_sheet', serialize=False, to='tournaments.tournament')),
                ('version', models.PositiveIntegerField()),
                ('state', models.TextField()),
                ('has_plan', models.BooleanField(default=False)),
                ('last_position', models.BigIntegerField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
                ('is_rehearsal', models.BooleanField(default=False, help_text='Practice: never published, never settled')),
                ('due_position', models.BigIntegerField(default=0, help_text='Position of the log record that made money owed')),
                ('settle_problem', models.TextField(blank=True, default='')),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('settled_position', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='evening_version_from_1'),
                    models.CheckConstraint(condition=models.Q(('last_position__gte', 1)), name='evening_position_from_1'),
                    models.CheckConstraint(condition=models.Q(('version__range', (1, 2147483647)), ('last_position__range', (1, 1000000000000000)), ('due_position__range', (0, 1000000000000000)), ('settled_position__range', (0, 1000000000000000))), name='evening_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('settled_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='evening_within_the_calendar'),
                ],
                'indexes': [
                    models.Index(condition=models.Q(('due_position__gt', models.F('settled_position'))), fields=['due_position'], name='evening_settlement_due'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SeatingDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('version', models.PositiveIntegerField(default=1)),
                ('plan', models.TextField()),
                ('actor', models.CharField(blank=True, default='', max_length=100)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seating_drafts', to='tournaments.tournament')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'round'), name='seatingdraft_once_per_round'),
                    models.CheckConstraint(condition=models.Q(('round__gte', 1)), name='seatingdraft_round_from_1'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='seatingdraft_version_from_1'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('plan'), 4000000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('actor'), 100)), name='seatingdraft_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('round__range', (1, 9999)), ('version__range', (1, 2147483647))), name='seatingdraft_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('changed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='seatingdraft_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='CashBook',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('currency', models.CharField(max_length=3)),
                ('number', models.PositiveIntegerField(help_text='Counts the books of a club in one currency')),
                ('version', models.PositiveIntegerField(default=0)),
                ('state', models.TextField()),
                ('is_closed', models.BooleanField(default=False)),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='cash_books', to='tournaments.club')),
            ],
            options={
                'ordering': ['club', 'currency', '-number'],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'currency', 'number'), name='cashbook_number_once'),
                    models.UniqueConstraint(condition=models.Q(('is_closed', False)), fields=('club', 'currency'), name='cashbook_one_open'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='cashbook_currency_code'),
                    models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('is_closed', False)), models.Q(('closed_at__isnull', False), ('is_closed', True)), _connector='OR'), name='cashbook_closed_at_a_moment'),
                    models.CheckConstraint(condition=models.Q(('number__range', (1, 2147483647)), ('version__range', (0, 2147483647))), name='cashbook_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('opened_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('closed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='cashbook_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PlayerCredit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('currency', models.CharField(max_length=3)),
                ('limit_minor', models.BigIntegerField()),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='credits', to='tournaments.player')),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('player', 'currency'), name='playercredit_once'),
                    models.CheckConstraint(condition=models.Q(('limit_minor__gte', 1)), name='playercredit_above_nought'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='playercredit_currency_code'),
                    models.CheckConstraint(condition=models.Q(('limit_minor__range', (1, 1000000000000000))), name='playercredit_numbers_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ScreenProgramme',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='screen_programme', serialize=False, to='tournaments.tournament')),
                ('is_automatic', models.BooleanField(default=True)),
                ('chosen', models.JSONField(blank=True, default=list, help_text='Names of screens, where they are chosen by hand')),
                ('seconds', models.JSONField(blank=True, default=dict, help_text='Seconds by the name of a screen')),
                ('pinned', models.CharField(blank=True, choices=[('seating', 'Seating'), ('standings', 'Standings'), ('tables', 'Tables'), ('clock', 'Clock'), ('winners', 'Winners'), ('address', 'Address'), ('message', 'Message')], default='', max_length=20)),
                ('message', models.CharField(blank=True, default='', max_length=160)),
                ('lines', models.PositiveSmallIntegerField(default=0)),
                ('skips', models.PositiveIntegerField(default=0)),
                ('actor', models.CharField(blank=True, default='', max_length=100)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('pinned__in', ['', 'seating', 'standings', 'tables', 'clock', 'winners', 'address', 'message'])), name='screenprogramme_pinned_is_known'),
                    models.CheckConstraint(condition=models.Q(('lines__lte', 40)), name='screenprogramme_lines_to_40'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('message'), 160), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('actor'), 100)), name='screenprogramme_texts_fit'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('chosen'), models.TextField())), 1000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('seconds'), models.TextField())), 1000)), name='screenprogramme_json_fits'),
                    models.CheckConstraint(condition=models.Q(('lines__range', (0, 40)), ('skips__range', (0, 2147483647))), name='screenprogramme_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('changed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='screenprogramme_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('starts_on', models.DateField(verbose_name='starts on')),
                ('ends_on', models.DateField(verbose_name='ends on')),
                ('formula', models.TextField(help_text='How nights are counted, as canonical JSON')),
                ('is_published', models.BooleanField(default=False, verbose_name='is published')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='closed at')),
                ('final', models.TextField(blank=True, default='', editable=False)),
                ('final_position', models.BigIntegerField(default=0, editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='tournaments.club', verbose_name='club')),
                ('final_digest', models.BinaryField(default=b'', max_length=32)),
            ],
            options={
                'ordering': ['-starts_on', 'name'],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'slug'), name='season_slug_once_per_club'),
                    models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='season_ends_after_it_starts'),
                    models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('final', '')), models.Q(('closed_at__isnull', False), models.Q(('final', ''), _negated=True)), _connector='OR'), name='season_closed_with_its_standings'),
                    models.CheckConstraint(condition=models.Q(('final_position__range', (0, 1000000000000000))), name='season_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('starts_on__range', (datetime.date(2000, 1, 1), datetime.date(2199, 12, 31))), ('ends_on__range', (datetime.date(2000, 1, 1), datetime.date(2199, 12, 31)))), name='season_days_within_the_calendar'),
                    models.CheckConstraint(condition=models.Q(('closed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('created_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='season_within_the_calendar'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 80), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('formula'), 20000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('final_digest'), 32)), name='season_texts_fit'),
                ],
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
            },
        ),
        migrations.CreateModel(
            name='ClubReadings',
            fields=[
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='readings', serialize=False, to='tournaments.club')),
                ('due', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
                ('progress_done', models.PositiveIntegerField(default=0)),
                ('progress_total', models.PositiveIntegerField(default=0)),
                ('computed_at', models.DateTimeField(blank=True, null=True)),
                ('problem', models.TextField(blank=True, default='')),
                ('beat_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('done__lte', models.F('due'))), name='clubreadings_done_not_above_due'),
                    models.CheckConstraint(condition=models.Q(('due__range', (0, 2147483647)), ('done__range', (0, 2147483647)), ('progress_done__range', (0, 2147483647)), ('progress_total__range', (0, 2147483647))), name='clubreadings_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('begun_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('beat_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('computed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='clubreadings_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='NightResult',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='night_result', serialize=False, to='tournaments.tournament')),
                ('position', models.BigIntegerField()),
                ('closed_position', models.BigIntegerField()),
                ('corrected_at', models.DateTimeField(blank=True, null=True)),
                ('state', models.TextField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('closed_position__gte', 1), ('position__gte', models.F('closed_position'))), name='nightresult_as_of_its_closing'),
                    models.CheckConstraint(condition=models.Q(('position__range', (1, 1000000000000000)), ('closed_position__range', (1, 1000000000000000))), name='nightresult_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('corrected_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='nightresult_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PlayerRating',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='rating', serialize=False, to='tournaments.player')),
                ('mu', models.IntegerField(help_text='The estimate')),
                ('sigma', models.PositiveIntegerField(help_text='Its deviation')),
                ('nights', models.PositiveIntegerField()),
                ('tables', models.PositiveIntegerField()),
                ('history', models.TextField(help_text='After each night: the tournament, mu and sigma, as JSON')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('sigma__gte', 1)), name='playerrating_is_never_certain'),
                    models.CheckConstraint(condition=models.Q(('mu__range', (-2147483647, 2147483647)), ('sigma__range', (1, 2147483647)), ('nights__range', (0, 2147483647)), ('tables__range', (0, 2147483647))), name='playerrating_numbers_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SeasonTable',
            fields=[
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='table', serialize=False, to='tournaments.season')),
                ('state', models.TextField()),
                ('position', models.BigIntegerField(help_text='Club position of the latest fact in it; 0 before the first night')),
                ('computed_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('position__range', (0, 1000000000000000))), name='seasontable_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('computed_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='seasontable_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ProjectionRelease',
            fields=[
                ('name', models.CharField(default='boards', max_length=20, primary_key=True, serialize=False)),
                ('stamp', models.CharField(max_length=32)),
                ('rebuilt_at', models.DateTimeField()),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 20), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('stamp'), 32)), name='projection_release_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('rebuilt_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='projection_release_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='FailedAttempts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=10)),
                ('subject', models.CharField(blank=True, max_length=64)),
                ('place', models.CharField(max_length=80)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('free_at', models.DateTimeField()),
                ('lapses_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('kind', 'place', 'subject'), name='failedattempts_one_row_each'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('kind'), 10), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('subject'), 64), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('place'), 80)), name='failedattempts_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('failures__range', (0, 2147483647))), name='failedattempts_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('free_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('lapses_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='failedattempts_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ClubSlug',
            fields=[
                ('slug', models.SlugField(max_length=60, primary_key=True, serialize=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slugs', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 60)), name='clubslug_texts_fit'),
                    models.UniqueConstraint(django.db.models.functions.text.Lower('slug'), name='clubslug_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='LateSheet',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=200)),
                ('digest', models.CharField(help_text='SHA-256 of the request, in hex: tells a resend', max_length=64)),
                ('body', models.TextField(help_text='The event as it would have been recorded, as JSON')),
                ('actor', models.CharField(max_length=100)),
                ('sent_at', models.DateTimeField()),
                ('answer', models.CharField(choices=[('waiting', 'Waiting'), ('accepted', 'Accepted'), ('refused', 'Refused')], default='waiting', max_length=10)),
                ('answered_by', models.CharField(blank=True, default='', max_length=100)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='late_sheets', to='tournaments.table')),
            ],
            options={
                'ordering': ['sent_at', 'id'],
                'indexes': [
                    models.Index(condition=models.Q(('answer', 'waiting')), fields=['table'], name='latesheet_waiting'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'key'), name='latesheet_key_once'),
                    models.CheckConstraint(condition=models.Q(('answer__in', ['waiting', 'accepted', 'refused'])), name='latesheet_answer_is_known'),
                    models.CheckConstraint(condition=models.Q(('answer', 'waiting'), ('answered_at__isnull', False), _connector='XOR'), name='latesheet_answered_at_a_moment'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('digest'), 64), name='latesheet_digest_is_64_hex_digits'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('key'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('body'), 50000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('actor'), 100), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('answered_by'), 100), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('reason'), 200)), name='latesheet_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('sent_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('answered_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='latesheet_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40)),
                ('actor', models.CharField(max_length=100)),
                ('seen_at', models.DateTimeField()),
                ('waiting', models.PositiveSmallIntegerField(default=0)),
                ('oldest_at', models.DateTimeField(blank=True, help_text='since when the oldest deal waits', null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.club')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='devices', to='tournaments.table')),
            ],
            options={
                'ordering': ['table_id', 'key'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'key'), name='device_once_per_table'),
                    models.CheckConstraint(condition=models.Q(('waiting', 0), ('oldest_at__isnull', False), _connector='XOR'), name='device_oldest_of_what_waits'),
                    models.CheckConstraint(condition=models.Q(('waiting__range', (0, 500))), name='device_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('key'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('actor'), 100)), name='device_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('seen_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('oldest_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='device_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ShownVersion',
            fields=[
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='shown_version', serialize=False, to='tournaments.club')),
                ('version', models.BigIntegerField(default=0)),
                ('names', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('version__range', (0, 1000000000000000)), ('names__range', (0, 1000000000000000))), name='shownversion_numbers_fit'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PublishedCopy',
            fields=[
                ('tournament', models.UUIDField(primary_key=True, serialize=False)),
                ('club', models.UUIDField()),
                ('store', models.CharField(max_length=500)),
                ('folder', models.CharField(max_length=200)),
                ('position', models.BigIntegerField(default=-1)),
                ('version', models.BigIntegerField(default=-1)),
                ('files', models.TextField(default='{}')),
                ('whole_at', models.DateTimeField(blank=True, null=True)),
                ('is_whole', models.BooleanField(default=False)),
                ('written_at', models.DateTimeField(blank=True, null=True)),
                ('busy_until', models.DateTimeField()),
                ('problem', models.CharField(default='', max_length=500)),
                ('failures', models.PositiveIntegerField(default=0)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('position__range', (-1, 1000000000000000)), ('version__range', (-1, 1000000000000000)), ('failures__range', (0, 2147483647))), name='publishedcopy_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('store'), 500), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('folder'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('problem'), 500), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('files'), 4000000)), name='publishedcopy_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('whole_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('written_at__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc))), ('busy_until__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='publishedcopy_within_the_calendar'),
                ],
            },
        ),
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('view', models.CharField(max_length=40)),
                ('tag', models.CharField(default='', max_length=40)),
                ('position', models.BigIntegerField(default=0)),
                ('version', models.BigIntegerField(default=0)),
                ('digest', models.BinaryField(default=b'', max_length=16)),
                ('packed', models.BinaryField(default=b'', help_text='Compressed with gzip', max_length=4000000)),
                ('making', models.CharField(default='', max_length=40)),
                ('moment', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.club')),
                ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'view'), name='keptanswer_once_per_view'),
                    models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('view'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('tag'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('digest'), 16), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('packed'), 4000000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('making'), 40)), name='keptanswer_texts_fit'),
                    models.CheckConstraint(condition=models.Q(('position__range', (0, 1000000000000000)), ('version__range', (0, 1000000000000000))), name='keptanswer_numbers_fit'),
                    models.CheckConstraint(condition=models.Q(('moment__range', (datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)))), name='keptanswer_within_the_calendar'),
                ],
            },
        ),
        migrations.RunPython(lead_with_the_club),
        # Its table stays, empty, while processes of the release before may serve: docs/decisions/0079-one-cache.md
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel('KeptAnswer')]),
    ]
